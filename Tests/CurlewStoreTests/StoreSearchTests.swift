import Curlew
import CurlewScreens
import CurlewStore
import CurlewTesting
import TestSupport
import Testing

/// Tests a search screen without pages that shows a store's entries.
@Suite(.timeLimit(.minutes(1)))
struct StoreSearchTests {
  private let test = TestStore()
  private let search: ScreenProbe<Search<Book>>

  init() {
    let store = test.store
    search = ScreenProbe(Search(source: store.source { Self.entry($0) }))
    test.stub.stub(Self.books("a"), with: .books([1: "Emma"]))
    test.stub.stub(Library.star(1), with: .status(.noContent))
  }

  private static func books(_ text: String) -> Request<[Book]> {
    .get("/search", query: ["q": text])
  }

  private static func entry(_ text: String) -> StoreEntry<[Book]> {
    StoreEntry(books(text), entities: .each(\.self)) { $0 }
  }

  private func find(_ text: String) {
    search.send(.term(text))
    search.send(.submit)
    settle()
  }

  private func settle() {
    test.settle()
    search.settle()
  }

  private func invalidate(_ text: String) {
    test.run { [store = test.store] in await store.invalidate(Self.entry(text)) }
    settle()
  }

  private var titles: [String] { search.state.items.map(\.title) }

  @Test func `Results of a search follow edits of the store`() {
    find("a")
    #expect(titles == ["Emma"])
    test.perform(Library.star(1)) { $0.update(Book.self, 1) { $0.isStarred = true } }
    settle()
    #expect(search.state.items.map(\.isStarred) == [true] && !search.state.isLoading)
    test.perform(Library.star(1)) { $0.remove(Book.self, 1) }
    settle()
    #expect(search.state.results == .empty)
  }

  @Test func `A failed search keeps earlier results until it heals`() {
    find("a")
    test.stub.stub(
      Self.books("b"), with: .status(.internalServerError), .books([2: "Persuasion"]))
    find("b")
    #expect(titles == ["Emma"] && search.state.results.failure != nil)
    #expect(search.state.shownTerm == "a")
    test.perform(Library.star(1)) { $0.update(Book.self, 1) { $0.title = "Emma II" } }
    settle()
    #expect(titles == ["Emma"], "only the new text is followed")
    invalidate("b")
    #expect(titles == ["Persuasion"] && search.state.results.failure == nil)
    #expect(search.state.shownTerm == "b")
  }

  @Test(arguments: [true, false])
  func `A sign-out removes results, also during a search`(isSearching: Bool) {
    find("a")
    let gate = test.stub.hold(Self.books("b"))
    if isSearching { find("b") }
    #expect(titles == ["Emma"] && search.state.isLoading == isSearching)
    #expect(gate.held.count == (isSearching ? 1 : 0))
    test.run { [store = test.store] in await store.clear() }
    settle()
    #expect(search.state.results == .idle && search.state.term == nil)
    find("a")
    #expect(titles == ["Emma"])
  }

  @Test(arguments: [Search<Book>.Event.clear, .term("")])
  func `A search without a text observes nothing`(event: Search<Book>.Event) {
    find("a")
    search.send(event)
    let requests = test.stub.requests.count
    invalidate("a")
    #expect(test.stub.requests.count == requests && titles == [])
  }
}
