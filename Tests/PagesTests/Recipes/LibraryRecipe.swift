import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The recipe of a catalogue in Screens.md, compiled and run.
@Suite("The recipe of a catalogue", .timeLimit(.minutes(1)))
struct LibraryRecipe {
  nonisolated struct Book: Identifiable, Equatable, Sendable {
    let id: Int
    var title = ""
    var isStarred = false
  }

  nonisolated struct Library: Screen {
    enum Event {
      case books(PagedSearch<Book>.Event), book(Detail<Book.ID, Book, Book>.Event)
      case star(Book.ID), signOut
    }

    struct State: Equatable {
      var books = PagedSearch<Book>.State()
      var book = Detail<Book.ID, Book, Book>.State()
    }

    let books: PagedSearch<Book>
    let book: Detail<Book.ID, Book, Book>
    let star: @Sendable (Book.ID, Bool) async throws -> Void
    let initial = State()

    var parts: [Part<State, Event>] {
      [Part(\.books, books, event: Event.books), Part(\.book, book, event: Event.book)]
    }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .books(let event): work.scope(\.books) { books.handle(event, &state.books, &$0) }
      case .book(let event): work.scope(\.book) { book.handle(event, &state.book, &$0) }
      case .star(let id):
        guard let isStarred = state.books.list[id].map({ !$0.isStarred }) else { return }
        work.write("star \(id)") {
          try await star(id, isStarred)
        } started: { state in
          state.books.list.update(id, until: "star \(id)") { $0.isStarred = isStarred }
        } finished: { state, result, _ in
          state.books.list.settle("star \(id)", result)
        }
      case .signOut:
        // What loads now was asked for by the user who leaves; it is cancelled.
        state = State()
      }
    }
  }

  let pages = PendingResponses<String, Page<Book>>()
  let details = PendingResponses<Int, Book>()
  let stars = PendingResponses<Int, Void>()
  let probe: ScreenProbe<Library>

  init() {
    let (pages, details, stars) = (pages, details, stars)
    probe = ScreenProbe(
      Library(
        books: PagedSearch(listsAll: true) { text, key in
          try await pages.next(for: "\(text) \(key?.number ?? 1)")
        },
        book: Detail { try await details.next(for: $0) },
        star: { id, _ in try await stars.next(for: id) }))
  }

  @Test func `catalogue lists all and searches and stars`() {
    probe.resume()
    pages.reply(.success(Page([Book(id: 1), Book(id: 2)], next: .number(2))))
    probe.settle()
    #expect(probe.state.books.list.items.map(\.id) == [1, 2])

    probe.send(.star(2))
    #expect(probe.state.books.list[2]?.isStarred == true)
    stars.reply(.failure(CancellationError()))
    probe.settle()
    #expect(probe.state.books.list[2]?.isStarred == false)

    probe.send(.books(.term("swift")))
    probe.advance(by: .milliseconds(500))
    #expect(pages.waiting == ["swift 1"])
    probe.send(.book(.show(1)))
    #expect(details.waiting == [1])

    probe.send(.signOut)
    #expect(probe.state == Library.State())
    #expect(!probe.runner.isWorking)
    pages.reply(.success(Page([Book(id: 7)])))
    details.reply(.success(Book(id: 1, title: "the former user's")))
    probe.settle()
    #expect(probe.state == Library.State())
    probe.send(.books(.list(.load)))
    #expect(pages.waiting == [" 1"])
  }
}
