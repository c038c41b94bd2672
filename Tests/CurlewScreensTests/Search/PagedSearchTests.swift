import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The nine rules of a search, for a paged search.
@Suite(.timeLimit(.minutes(1)))
struct PagedSearchTests {
  typealias State = PagedSearch<Entry>.State

  let pages = PendingResponses<Query, Page<Entry>>()
  let probe: ScreenProbe<PagedSearch<Entry>>

  struct Query: Hashable, Sendable, ExpressibleByStringLiteral {
    let term: String
    var key: PageKey?

    init(_ term: String, _ key: PageKey? = nil) { (self.term, self.key) = (term, key) }
    init(stringLiteral term: String) { self.init(term) }
  }

  init() {
    let pages = pages
    probe = ScreenProbe(PagedSearch { try await pages.next(for: Query($0, $1)) })
  }

  var list: Feed<Entry>.State { probe.state.list }
  var ids: [Int] { list.items.map(\.id) }

  /// Types a text and waits for the debounce interval.
  func search(_ text: String) {
    probe.send(.term(text))
    probe.advance(by: .milliseconds(500))
  }

  func reply(_ page: Page<Entry>, to index: Int = 0) {
    pages.reply(.success(page), to: index)
    probe.settle()
  }

  func fail(at index: Int = 0) {
    pages.reply(.failure(Broken()), to: index)
    probe.settle()
  }

  // MARK: 1. Trimmed, debounced

  @Test func `search begins when the text has rested for the quiet time`() {
    probe.send(.term("s"))
    probe.advance(by: .milliseconds(300))
    probe.send(.term("sw"))
    probe.advance(by: .milliseconds(499))
    #expect(pages.requested == [])
    #expect(list.status == .idle)
    probe.advance(by: .milliseconds(1))
    #expect(pages.requested == ["sw"])
    #expect(list.status == .loading(.first))
  }

  @Test func `debounce can be chosen`() {
    let pages = pages
    let probe = ScreenProbe(
      PagedSearch<Entry>(debounce: .milliseconds(50)) {
        try await pages.next(for: Query($0, $1))
      })
    probe.send(.term("a"))
    probe.advance(by: .milliseconds(49))
    #expect(pages.requested == [])
    probe.advance(by: .milliseconds(1))
    #expect(pages.requested == ["a"])
  }

  // MARK: 2. Empty is idle at once

  @Test(arguments: ["", "   ", "\n\t"])
  func `empty term cancels what is in flight`(empty: String) {
    search("a")
    reply(Page(1...2, next: .number(2)))
    probe.send(.list(.more))
    probe.send(.term(empty))
    #expect(probe.state == State(text: empty))
    #expect(!probe.runner.isWorking)
    reply(Page(3...4))
    #expect(probe.state == State(text: empty))
  }

  // MARK: 3. Distinct

  @Test func `term equal to the last one is not searched again`() {
    search("a")
    reply(Page(1...2, next: .number(2)))
    probe.send(.term("ab"))
    search("a")
    #expect(pages.requested == ["a"])
    #expect(list.status == .content)
    #expect(!probe.runner.isWorking)
  }

  @Test func `retyping the term lets its page in flight go on`() {
    search("a")
    reply(Page(1...2, next: .number(2)))
    probe.send(.list(.more))
    probe.send(.term("ab"))
    search("a")
    #expect(pages.active == [Query("a", .number(2))])
    reply(Page(3...4))
    #expect(ids == Array(1...4))
  }

  @Test func `term that failed is searched again`() {
    search("a")
    fail()
    search("a")
    #expect(pages.requested == ["a", "a"])
  }

  @Test func `term of which a later page failed is not searched again`() {
    search("a")
    reply(Page(1...2, next: .number(2)))
    probe.send(.list(.more))
    fail()
    search("a ")
    #expect(pages.requested.count == 2)
    #expect(list.status.textOnly == .failed(.broken, .next))
  }

  // MARK: 4. Submit and retry

  @Test func `submit searches at once and once`() {
    probe.send(.term("a"))
    probe.send(.submit())
    #expect(pages.requested == ["a"])
    probe.send(.submit())
    probe.advance(by: .seconds(5))
    #expect(pages.requested == ["a"])
  }

  @Test func `submit of nothing does nothing`() {
    probe.send(.submit())
    for event: Feed<Entry>.Event in [.load, .more, .refresh, .retry, .restore(at: .number(2))] {
      probe.send(.list(event))
    }
    #expect(pages.requested == [])
    #expect(probe.states.count == 1)
  }

  @Test func `submit can begin at a page`() {
    probe.send(.term("a"))
    probe.send(.submit(from: .number(3)))
    #expect(pages.requested == [Query("a", .number(3))])
    #expect(list.start == .number(3))
    probe.send(.submit(from: .number(3)))
    #expect(pages.requested.count == 1)
    probe.send(.submit(from: .number(4)))
    #expect(pages.active == [Query("a", .number(4))])
    reply(Page(1...2), to: 1)
    #expect(list.start == .number(4))
    probe.send(.list(.refresh))
    #expect(pages.requested.last == Query("a", .number(4)))
  }

  @Test func `next search begins with the first page again`() {
    probe.send(.term("a"))
    probe.send(.submit(from: .number(3)))
    reply(Page(21...30))
    search("b")
    #expect(pages.requested.last == Query("b", nil))
    #expect(list.start == nil)
  }

  // MARK: 5. Latest wins

  @Test func `slow response to an old term changes nothing`() {
    search("old")
    search("new")
    #expect(probe.mostRunning == 1)
    reply(Page(11...12), to: 1)
    let states = probe.states
    reply(Page(1...2))
    #expect(probe.states == states)
    #expect(ids == [11, 12])
  }

  @Test func `slow page of an old term changes nothing`() {
    search("old")
    reply(Page(1...2, next: .number(2)))
    probe.send(.list(.more))
    search("new")
    #expect(pages.active == ["new"])
    reply(Page(3...4))
    #expect(list.status == .loading(.first))
    reply(Page(11...12))
    #expect(ids == [11, 12])
  }

  // MARK: 6. The last results stay

  @Test func `last results stay while searching`() {
    search("a")
    reply(Page(1...2, next: .number(2), total: 9))
    search("b")
    #expect(list.status == .loading(.first))
    #expect(ids == [1, 2])
    #expect(!list.canLoadMore)
    #expect(probe.state.term == "b" && probe.state.shownTerm == "a")
    reply(Page(11...12))
    #expect(ids == [11, 12])
    #expect(probe.state.shownTerm == "b")
    #expect(list.total == nil)
  }

  // MARK: 7. Empty and failed

  @Test func `error keeps the last results and the screen working`() {
    search("a")
    reply(Page(1...2, next: .number(2)))
    search("b")
    fail()
    #expect(list.status.textOnly == .failed(.broken, .first))
    #expect(ids == [1, 2] && probe.state.shownTerm == "a")
    search("c")
    reply(Page(21...22))
    #expect(ids == [21, 22])
  }

  @Test(arguments: [Feed<Entry>.Event.refresh, .retry])
  func `list of an older term is never gone on with`(event: Feed<Entry>.Event) {
    search("a")
    reply(Page(1...2, next: .cursor("of a")))
    search("b")
    fail()
    probe.send(.list(.more))
    probe.send(.list(.appeared(2)))
    #expect(pages.requested == ["a", "b"])
    // A repeated search loads its first page again, not the next page of the older list.
    probe.send(.list(event))
    #expect(list.status == .loading(.first))
    fail()
    #expect(list.status.textOnly == .failed(.broken, .first))
    #expect(!list.canLoadMore)
    probe.send(.list(.more))
    #expect(pages.requested == ["a", "b", "b"])
    search("b")
    #expect(pages.requested == ["a", "b", "b", "b"], "a search that failed is repeated")
  }

  // MARK: 8. Loading never sticks

  // MARK: 9. Equal states once

  @Test func `equal states are delivered once`() {
    search("a")
    reply(Page(1...2))
    search(" a ")
    probe.send(.list(.retry))
    probe.send(.list(.load))
    probe.send(.list(.appeared(2)))
    #expect(
      probe.states.map(\.list.status) == [.idle, .idle, .loading(.first), .ended, .ended],
      "the last with the white space")
  }

  // MARK: Hints

  @Test func `text that can not be searched yet asks nobody and says what to type`() {
    let pages = pages
    let probe = ScreenProbe(
      PagedSearch<Entry>(hint: { $0.count < 3 ? "Type three letters" : nil }) {
        try await pages.next(for: Query($0, $1))
      })
    probe.send(.term("ab"))
    probe.send(.submit())
    probe.advance(by: .seconds(5))
    #expect(probe.state.hint == "Type three letters")
    #expect(pages.requested == [])
    probe.send(.term("abc"))
    probe.send(.submit())
    #expect(probe.state.hint == nil)
    probe.send(.term("ab"))
    #expect(list.status == .idle)
    #expect(!probe.runner.isWorking)
  }
}
