import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Tests screens that show a store's entries.
@Suite(.timeLimit(.minutes(1)))
struct StoreScreensTests {
  private let stub = StubTransport()
  private let store: Store

  init() {
    store = Store(Client.stubbed(by: stub) { $0.cache = .memory() })
    stub.stub(Library.book(1), with: .book(1, "Emma"))
    stub.stub(Library.books(), with: .books([1: "Emma", 2: "Persuasion"]))
    stub.stub(Library.books(.number(2)), with: .books([3: "Sanditon"]))
    stub.stub(Library.rows, with: .books([1: "Emma"]))
    stub.stub(Library.star(1), with: .status(.noContent))
    stub.stub(Library.star(2), with: .status(.conflict))
  }

  /// A list of books that can be starred.
  private struct Shelf: Screen {
    enum Event: Sendable {
      case list(Feed<Book>.Event)
      case star(Int, Bool)
    }

    struct State: Equatable, Sendable {
      var list = Feed<Book>.State()
      var problem: LoadFailure?
    }

    let store: Store
    let list: Feed<Book>

    init(_ store: Store) {
      (self.store, list) = (store, Feed(source: store.source { Library.page($0) }))
    }

    var initial: State { State() }
    var parts: [Part<State, Event>] { [Part(\.list, list, event: Event.list)] }

    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .list(let event): work.scope(\.list) { list.handle(event, &state.list, &$0) }
      case .star(let id, let isOn):
        work.perform(Library.star(id), in: store, queue: "star \(id)") { edit in
          edit.update(Book.self, id) { $0.isStarred = isOn }
        } finished: { state, result, _ in
          if case .failure(let error) = result { state.problem = LoadFailure(error) }
        }
      }
    }
  }

  private typealias BookDetail = Detail<Int, BookRow, Book>

  private func detail() -> BookDetail { Detail(source: store.source { Library.bookEntry($0) }) }

  @Test func `a star shows in list and detail, in the same state for all`() {
    let (shelf, detail) = (ScreenProbe(Shelf(store)), ScreenProbe(detail()))
    shelf.send(.list(.load))
    detail.send(.show(1))
    let gate = stub.hold(Library.star(1))
    shelf.send(.star(1, true))
    detail.settle()
    #expect(shelf.state.list.items.map(\.isStarred) == [true, false])
    #expect(detail.state.content.latest?.isStarred == true)
    gate.respond(with: .status(.noContent))
    shelf.settle()
    detail.settle()
    #expect(shelf.state.list.items.map(\.isStarred) == [true, false])
    #expect(detail.state.content.latest?.isStarred == true)
    #expect(shelf.states.allSatisfy { $0.problem == nil })
  }

  @Test func `a refusal is taken away alone`() {
    let shelf = ScreenProbe(Shelf(store))
    shelf.send(.list(.load))
    let (gate, refused) = (stub.hold(Library.star(1)), stub.hold(Library.star(2)))
    shelf.send(.star(1, true))
    shelf.send(.star(2, true))
    #expect(shelf.state.list.items.map(\.isStarred) == [true, true])
    refused.respond(with: .status(.conflict))
    shelf.settle()
    #expect(shelf.state.list.items.map(\.isStarred) == [true, false])
    #expect((shelf.state.problem?.error as? Client.Error)?.status == .conflict)
    gate.respond(with: .status(.noContent))
    shelf.settle()
    #expect(shelf.state.list.items.map(\.isStarred) == [true, false])
  }

  @Test func `a detail shows at once what a list has shown`() {
    let list = ScreenProbe(Feed(source: store.source { Library.page($0) }))
    list.send(.load)
    let gate = stub.hold(Library.book(1))
    let detail = ScreenProbe(detail())
    detail.send(.show(1))
    #expect(detail.state.known == BookRow(id: 1, title: "Emma"))
    #expect(detail.state.content.isLoading)
    gate.respond(with: .book(1, "Emma, by Jane Austen"))
    detail.settle()
    list.settle()
    #expect(
      detail.state.content
        == .content(Book(id: 1, title: "Emma, by Jane Austen"), asOf: detail.state.content.asOf))
    #expect(list.state.items.first?.title == "Emma, by Jane Austen")
  }

  /// The screen may read a value between two values of the entry that are equal.
  @Test func `a change and its reversal reach a screen`() async throws {
    stub.stub(Library.books(), with: .books([1: "Emma"]))
    stub.stub(Library.star(1), with: .status(.noContent))
    for _ in 1...300 {
      let store = Store(Client.stubbed(by: stub))
      let shelf = Runner(Shelf(store))
      await shelf.send(.list(.load)).finished()
      for isOn in [true, false] { shelf.send(.star(1, isOn)) }
      await store.writes.finished()
      // The last change may arrive late; without it, the time limit ends the test.
      for _ in 1...100 { await Task.yield() }
      for await state in shelf.states where state.list[1]?.isStarred == false { break }
    }
  }

  @Test func `pages are followed, and their items keep their places`() {
    let list = ScreenProbe(Feed(source: store.source { Library.page($0) }))
    list.send(.load)
    list.send(.more)
    #expect(list.state.items.map(\.id) == [1, 2, 3] && list.state.status == .ended)
    stub.stub(Library.book(3), with: .book(3, "Sanditon, unfinished"))
    let detail = ScreenProbe(detail())
    detail.send(.show(3))
    list.settle()
    #expect(list.state.items.map(\.title) == ["Emma", "Persuasion", "Sanditon, unfinished"])
    #expect(list.state.status == .ended)
  }

  @Test func `a refresh asks the server, and fails with its items`() {
    stub.stub(
      Library.books(), with: .books([1: "Emma"], .fresh(for: 60)), .books([1: "Emma II"]),
      .status(.internalServerError))
    let list = ScreenProbe(Feed(source: store.source { Library.page($0) }))
    list.send(.load)
    list.send(.refresh)
    #expect(list.state.items.map(\.title) == ["Emma II"])
    let sent = list.send(.refresh)
    #expect(sent.isFinished && list.state.failure != nil)
    #expect(list.state.items.map(\.title) == ["Emma II"])
    stub.stub(Library.books(), with: .books([1: "Emma III"]))
    list.send(.retry)
    #expect(list.state.failure == nil && list.state.items.map(\.title) == ["Emma III"])
  }

  @Test func `a search lists what the store knows, and follows it`() {
    let search = ScreenProbe(
      PagedSearch(debounce: .milliseconds(100)) { [store] text in
        store.source { key in
          StoreEntry(
            Request<[Book]>.get("/search", query: ["q": text, "page": key?.number]),
            entities: .each(\.items)
          ) { Page($0) }
        }
      })
    stub.stub(.get, "/search", with: .books([1: "Emma"]))
    search.send(.term("em"))
    search.advance(by: .milliseconds(100))
    #expect(search.state.list.items.map(\.title) == ["Emma"])
    stub.stub(Library.book(1), with: .book(1, "Emma, by Jane Austen"))
    ScreenProbe(detail()).send(.show(1))
    search.settle()
    #expect(search.state.list.items.map(\.title) == ["Emma, by Jane Austen"])
    search.send(.term(""))
    #expect(search.state.list.items.isEmpty && search.state.list.status == .idle)
  }

  @Test func `a screen that comes back loads what is no longer fresh`() async throws {
    let test = TestStore()
    test.stub.stub(Library.book(1), with: .book(1, "Emma", .fresh(for: 5)), .book(1, "Emma II"))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    detail.send(.show(1))
    detail.suspend()
    test.advance(by: .seconds(4))
    detail.resume()
    #expect(test.stub.requests.count == 1)
    detail.suspend()
    test.advance(by: .seconds(4))
    detail.resume()
    #expect(test.stub.requests.count == 2)
    #expect(detail.state.content.latest?.title == "Emma II")
    #expect(!detail.state.content.isLoading)
  }

  @Test func `a screen that shows nothing any more observes nothing`() {
    let (detail, list) = (
      ScreenProbe(detail()), ScreenProbe(Feed(source: store.source { Library.page($0) }))
    )
    detail.send(.show(1))
    list.send(.load)
    detail.send(.clear)
    list.send(.clear)
    stub.stub(Library.book(1), with: .book(1, "Emma II"))
    let other = ScreenProbe(self.detail())
    other.send(.show(1))
    detail.settle()
    list.settle()
    #expect(detail.state == .init() && list.state == .init())
  }

  @Test func `a removed entity leaves the list, and its page is empty`() async throws {
    let (list, detail) = (
      ScreenProbe(Feed(source: store.source { Library.page($0) })), ScreenProbe(detail())
    )
    list.send(.load)
    detail.send(.show(1))
    stub.stub(Library.star(9), with: .status(.noContent))
    try await store.perform(Library.star(9), queue: "9") { $0.remove(Book.self, 1) }
    list.settle()
    detail.settle()
    #expect(list.state.items.map(\.id) == [2])
    #expect(detail.state.content == .empty && detail.state.known == nil)
  }

  // MARK: Streams

  @Test @MainActor func `a model on the main actor follows the store`() async throws {
    let model = ScreenModel(Feed(source: store.source { Library.page($0) }))
    let run = Task { await model.run() }
    await model.send(.load).finished()
    #expect(model.state.items.count == 2)
    try await store.perform(Library.star(1), queue: "1") { edit in
      edit.update(Book.self, 1) { $0.isStarred = true }
    }
    await eventually { model.state.items.first?.isStarred == true }
    #expect(model.state.items.first?.isStarred == true)
    run.cancel()
    await run.value
  }

  @Test func `the next page asks for nothing but itself`() {
    let test = TestStore()
    test.stub.stub(Library.books(), with: .books([1: "Emma"], [.cacheControl: "no-cache"]))
    test.stub.stub(Library.books(.number(2)), with: .books([3: "Sanditon"]))
    let list = ScreenProbe(Feed(source: test.store.source { Library.page($0) }))
    list.send(.load)
    test.advance(by: .seconds(10))
    list.send(.more)
    test.advance(by: .seconds(10))
    #expect(test.stub.requests.count == 2)
    list.suspend()
    list.resume()
    #expect(test.stub.requests.count == 3)
  }

  @Test func `a list that could not be loaded heals with the store`() {
    let test = TestStore()
    test.stub.stub(Library.books(), with: .books([1: "Emma"], .fresh(for: 5)))
    test.observe(Library.page()).stop()
    test.advance(by: .seconds(400))
    test.stub.stub(
      Library.books(), with: .failure(Client.TransportFailure(.unreachable, reason: "down")),
      .books([1: "Emma II"]))
    let store = Store(test.client)
    let list = ScreenProbe(Feed(source: store.source { Library.page($0) }))
    list.send(.load)
    #expect(list.state.items.map(\.title) == ["Emma"] && list.state.failure != nil)
    test.advance(by: .seconds(5))
    list.settle()
    #expect(list.state.items.map(\.title) == ["Emma II"] && list.state.failure == nil)
  }

  @Test func `a list of which nothing could be loaded heals with the store`() {
    let test = TestStore(hasCache: false)
    test.stub.stub(
      Library.books(), with: .failure(Client.TransportFailure(.unreachable, reason: "down")),
      .books([1: "Emma"]))
    let list = ScreenProbe(Feed(source: test.store.source { Library.page($0) }))
    list.send(.load)
    #expect(list.state.items.isEmpty && list.state.failure != nil)
    test.advance(by: .seconds(5))
    list.settle()
    #expect(list.state.items.map(\.title) == ["Emma"] && list.state.status == .content)
  }

  @Test func `after a sign-out nothing is shown, until a new load`() {
    let test = TestStore()
    test.stub.stub(Library.book(1), with: .book(1, "Emma"))
    test.stub.stub(Library.books(), with: .books([1: "Emma", 2: "Persuasion"]))
    let list = ScreenProbe(Feed(source: test.store.source { Library.page($0) }))
    let detail = ScreenProbe(BookDetail(source: test.store.source { Library.bookEntry($0) }))
    list.send(.load)
    detail.send(.show(1))
    test.run { await test.store.clear() }
    list.settle()
    detail.settle()
    #expect(list.state == .init() && detail.state.content == .idle)
    #expect(detail.state.known == nil)
    list.send(.load)
    detail.send(.retry)
    #expect(list.state.items.count == 2 && detail.state.content.latest != nil)
    test.stub.stub(Library.book(1), with: .book(1, "Emma II"))
    test.run { await test.store.invalidate(Library.book(1)) }
    list.settle()
    detail.settle()
    #expect(list.state.items.first?.title == "Emma II")
    #expect(detail.state.content.latest?.title == "Emma II")
  }

  @Test func `a load that a sign-out ends is no failure`() async {
    let gates = (stub.hold(Library.books()), stub.hold(Library.book(1)))
    let (list, detail) = (
      ScreenProbe(Feed(source: store.source { Library.page($0) })), ScreenProbe(detail())
    )
    list.send(.load)
    detail.send(.show(1))
    #expect(gates.0.held.count == 1 && gates.1.held.count == 1)
    await store.clear()
    list.settle()
    detail.settle()
    #expect(list.state.status == .idle && detail.state.content == .idle)
  }

  @Test func `an old term's entries don't come back under a new term`() {
    @Sendable func entry(_ text: String) -> StoreEntry<Page<Book>> {
      StoreEntry(Self.search(text), entities: .each(\.items)) { Page($0) }
    }
    let test = TestStore()
    let search = ScreenProbe(PagedSearch { text in test.store.source { _ in entry(text) } })
    test.stub.stub(Self.search("a"), with: .books([1: "A"], .fresh(for: 600)))
    test.stub.stub(Self.search("b"), with: .books([2: "B"], .fresh(for: 1)))
    test.observe(entry("b")).stop()
    test.advance(by: .seconds(10))
    search.send(.term("a"))
    search.send(.submit())
    #expect(search.state.list.items.map(\.title) == ["A"])
    let gate = test.stub.hold(Self.search("b"))
    search.send(.term("b"))
    search.send(.submit())
    #expect(search.state.list.items.map(\.title) == ["B"] && gate.held.count == 1)
    test.stub.stub(Self.search("a"), with: .books([1: "A II"]))
    test.run { await test.store.invalidate(Self.search("a")) }
    _ = test.observe(entry("a"))
    search.settle()
    #expect(search.state.list.items.map(\.title) == ["B"])
    gate.respond(with: .status(.internalServerError))
    search.settle()
    #expect(search.state.list.items.map(\.title) == ["B"] && search.state.list.failure != nil)
    search.send(.clear)
    test.settle()
    let requests = test.stub.requests.count
    test.run { await test.store.invalidate(Self.search(""), andBelow: true) }
    #expect(test.stub.requests.count == requests + 1, "only the observed entry is requested")
  }

  private static func search(_ text: String) -> Request<[Book]> {
    .get("/search", query: ["q": text])
  }

  @Test func `the last page becomes one that is followed by another`() {
    let test = TestStore()
    @Sendable func entry(_ key: PageKey?) -> StoreEntry<Page<Book>> {
      StoreEntry(Library.books(key), entities: .each(\.items)) {
        Page($0, next: $0.count > 1 ? .number(2) : nil)
      }
    }
    test.stub.stub(Library.books(), with: .books([1: "Emma"]), .books([1: "Emma", 2: "Two"]))
    let list = ScreenProbe(Feed(source: test.store.source { entry($0) }))
    list.send(.load)
    #expect(list.state.status == .ended)
    test.run { await test.store.invalidate(Library.books()) }
    list.settle()
    #expect(list.state.status == .content && list.state.next == .number(2))
  }

  @Test func `two screens write to one queue from many threads`() async throws {
    let runners = (0..<2).map { _ in Runner(Shelf(store)) }
    await withTaskGroup { group in
      for index in 0..<100 {
        group.addTask { await runners[index % 2].send(.star(1 + index % 2, true)).finished() }
      }
    }
    #expect(stub.requests.count == 100)
  }
}
