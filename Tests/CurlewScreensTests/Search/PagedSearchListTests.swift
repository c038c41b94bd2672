import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The list of a search: a feed of the term's results, beside a text field.
@Suite(.timeLimit(.minutes(1)))
struct PagedSearchListTests {
  typealias Query = PagedSearchTests.Query

  let pages = PendingResponses<Query, Page<Entry>>()
  let probe: ScreenProbe<PagedSearch<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(PagedSearch { try await pages.next(for: Query($0, $1)) })
    probe.send(.term("a"))
    probe.send(.submit())
    reply(Page(1...10, next: .number(2), total: 30))
  }

  var list: Feed<Entry>.State { probe.state.list }
  var ids: [Int] { list.items.map(\.id) }

  func reply(_ page: Page<Entry>) {
    pages.reply(.success(page))
    probe.settle()
  }

  @Test func `results go on page by page to their end`() {
    probe.send(.list(.appeared(5)))
    #expect(pages.requested.count == 1)
    probe.send(.list(.appeared(6)))
    #expect(pages.active == [Query("a", .number(2))])
    reply(Page(8...20, next: .number(3), total: 30))
    #expect(ids == Array(1...20))
    probe.send(.list(.more))
    reply(Page(21...30, total: 30))
    #expect(ids == Array(1...30))
    #expect(list.status == .ended)
    #expect(list.total == 30)
  }

  @Test func `first page without items is followed by the next one`() {
    probe.send(.term("b"))
    probe.send(.submit())
    reply(Page([], next: .number(2)))
    #expect(ids == Array(1...10), "the last term's items, until new items arrive")
    #expect(pages.active == [Query("b", .number(2))])
    reply(Page(41...42))
    #expect(ids == [41, 42])
  }

  // MARK: Typing meanwhile

  @Test func `page in flight goes on while somebody types`() {
    probe.send(.list(.more))
    probe.send(.term("ab"))
    reply(Page(11...20, next: .number(3)))
    #expect(ids == Array(1...20))
    #expect(probe.state.term == "a")
    #expect(probe.state.text == "ab")
    probe.advance(by: .milliseconds(500))
    #expect(pages.active == ["ab"])
  }

  @Test(
    arguments: [.more, .appeared(10), .refresh, .retry, .load, .restore(at: .number(5))]
      as [Feed<Entry>.Event])
  func `list events while a newer text waits do not lose its search`(event: Feed<Entry>.Event) {
    probe.send(.term("ab"))
    probe.advance(by: .milliseconds(300))
    probe.send(.list(event))
    #expect(pages.requested == ["a"])
    #expect(ids == Array(1...10))
    probe.advance(by: .milliseconds(200))
    #expect(pages.requested == ["a", "ab"])
    reply(Page(41...42))
    #expect(ids == [41, 42])
  }

  @Test func `list goes on when its term is typed again`() {
    probe.send(.term("ab"))
    probe.send(.term("a"))
    probe.send(.list(.more))
    #expect(pages.active == [Query("a", .number(2))])
    probe.advance(by: .seconds(1))
    reply(Page(11...20))
    #expect(ids == Array(1...20))
    #expect(pages.requested.count == 2)
    #expect(!probe.runner.isWorking)
  }

  @Test func `opening elsewhere keeps the term`() {
    probe.send(.list(.restore(at: .number(3))))
    #expect(pages.active == [Query("a", .number(3))])
    #expect(ids == [])
    reply(Page(21...30))
    #expect(list.start == .number(3))
  }
}
