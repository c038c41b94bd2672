import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The text that a paged search's results belong to.
@Suite(.timeLimit(.minutes(1)))
struct PagedSearchTermTests {
  typealias Query = PagedSearchOrderTests.Query

  let pages = PendingResponses<Query, Page<Entry>>()
  let probe: ScreenProbe<Tabs<PagedSearch<Entry>>>

  init() {
    let pages = pages
    probe = ScreenProbe(
      Tabs(content: PagedSearch { try await pages.next(for: Query($0, $1)) }))
  }

  var state: PagedSearch<Entry>.State { probe.state.shown }

  func search(_ text: String) { probe.send(.all([.term(text), .submit()])) }

  func reply(_ page: Page<Entry>?) {
    pages.reply(page.map { .success($0) } ?? .failure(Broken()), to: pages.waiting.count - 1)
    probe.settle()
  }

  @Test func `a cancelled search does not go on with the former list`() {
    search("a")
    reply(Page(1...2, next: .cursor("of a")))
    search("b")
    reply(nil)
    probe.send(.all([.list(.retry)]))
    probe.send(.cancel(.feed.in(\PagedSearch<Entry>.State.list)))
    #expect(state.list.items.map(\.id) == [1, 2] && state.shownTerm == "a")
    #expect(state.term == nil)
    let count = pages.requested.count
    probe.send(.all([.list(.more)]))
    #expect(pages.requested.count == count, "the list belongs to another text")
    probe.send(.all([.list(.load)]))
    #expect(pages.requested.last == "b")
    reply(Page(11...12))
    #expect(state.list.items.map(\.id) == [11, 12])
    #expect(state.term == "b" && state.shownTerm == "b")
  }

  @Test(arguments: [
    Feed<Entry>.Event.refresh, .more, .appeared(2), .restore(at: .number(3)), .retry, .load,
  ])
  func `a search and a list's event in one change end`(event: Feed<Entry>.Event) {
    search("a")
    reply(Page(1...2, next: .number(2)))
    for text in ["a", "b"] {
      probe.send(.all([.term(text), .submit(), .list(event)]))
      #expect(pages.active.count == 1)
      reply(Page(11...12, next: .number(9)))
      #expect(state.list.status == .content)
      #expect(!probe.runner.isWorking)
      #expect(state.term == text && state.shownTerm == text)
    }
  }
}
