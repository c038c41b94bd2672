import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// A list whose source has stored pages with their dates.
@Suite(.timeLimit(.minutes(1)))
struct StoredFeedTests {
  private static let scenarios = Scenario.all(
    after: "load;",
    """
    a stored page is shown until the current one
      is loading first; stored 1..3 next 2 asOf 1; shows 1..3; is loading refresh; asOf 1
      stored 0..2 next 2 asOf 2; end; shows 0..2; is content; asOf 2
    what is requested while a stored page shows comes after it
      stored 1..3 next 2 asOf 1; (more|appeared 3); is loading refresh; page 1..3 next 2 asOf 2
      is loading next; page 4..6 asOf 3; shows 1..6; is ended
    what is requested is given up with a failure
      stored 1..3 next 2 asOf 1; more; fail; is failed refresh; retry; page 1..3 next 2; is content
    a stored page stays with the failure and is refreshed
      stored 1..3 next 2 asOf 1; fail; shows 1..3; is failed refresh; asOf 1; retry
      is loading refresh; stored 1..4 asOf 3; shows 1..3; end; shows 1..4; asOf 3
    a refresh keeps all pages until the end
      page 1..3 next 2 asOf 1; more; stored 4..6 next 3 asOf 5; shows 1..3; end; shows 1..6; asOf 1
      refresh; stored 1..3 next 2 asOf 1; shows 1..6; fail; shows 1..6; is failed refresh
    a later page that is only stored is added with the failure
      page 1..3 next 2 asOf 2; more; stored 4..6 next 3 asOf 1; fail; shows 1..6; is failed next
      asOf 1; retry; loads 3
    a last page that is only stored is refreshed by a retry
      page 1..3 next 2 asOf 2; more; stored 4..6 asOf 1; fail; shows 1..6; is failed refresh; retry
      loads first; is loading refresh
    an edit outlasts the stored and the current page
      stored 1..3 asOf 1; remove 2; shows 1 3; stored 1..3 asOf 2; shows 1 3; end; shows 1 3
    a late value of another list changes nothing
      stored 1..3 asOf 1; sourceChanged; mark; late stored 7..9 asOf 9; unchanged; shows nothing
      asOf nothing
    an empty stored page is loading and then empty
      stored asOf 1; is loading refresh; end; is empty
    the total of the current page counts what was inserted meanwhile once
      stored 1 2 next 2 of 100; insert 9; total 101; stored 1 2 next 2 of 101; end; is content
      total 101
    """)

  @Test(arguments: scenarios) func `a list shows stored pages as its scenario says`(
    scenario: Scenario
  ) throws {
    try scenario.run(FeedSteps(isStored: true).perform)
  }

  @Test func `the oldest page gives the age`() throws {
    let scenarios = Scenario.all(
      """
      age
        load; page 1 next 2 asOf 9; asOf 9; more; page 2 next 3 asOf 4; asOf 4; more; page 3; asOf 4
        refresh; page 1 next 2 asOf 9; asOf 9
      """)
    for scenario in scenarios { try scenario.run(FeedSteps().perform) }
  }

  private let replies = PendingResponses<PageKey?, Dated<Page<Entry>>?>()
  private let search: ScreenProbe<PagedSearch<Entry>>

  init() {
    let replies = replies
    search = ScreenProbe(
      PagedSearch<Entry>(source: { _ in Source(values: { Values(replies, for: $0) }) }))
    search.send(.term("a"))
    search.send(.submit())
  }

  private func reply(_ result: Result<Dated<Page<Entry>>?, any Error>) {
    replies.reply(result)
    search.settle()
  }

  @Test func `a paged search shows stored results at once`() {
    reply(.success(Dated(Page<Entry>([1, 2]), asOf: .at(1))))
    #expect(search.state.list.items == [1, 2])
    #expect(search.state.list.isLoading)
    reply(.failure(Broken()))
    #expect(search.state.list.failure?.textOnly == .broken)
    #expect(search.state.list.asOf == .at(1))
    search.send(.list(.retry))
    reply(.success(Dated(Page<Entry>([3]), asOf: .at(2))))
    reply(.success(nil))
    #expect(search.state.list.items == [3])
    #expect(search.state.list.asOf == .at(2))
  }

  @Test(arguments: [false, true])
  func `a paged search goes on after its stored page`(types: Bool) {
    let page = Dated(Page<Entry>([1, 2], next: .number(2)), asOf: .at(1))
    reply(.success(page))
    search.send(.list(.more))
    // Another text supersedes the list.
    if types { search.send(.term("ab")) }
    reply(.success(page))
    reply(.success(nil))
    #expect(search.state.list.items == [1, 2])
    #expect(search.state.list.status == (types ? .content : .loading(.next)))
    search.advance(by: .milliseconds(500))
    #expect(search.state.term == (types ? "ab" : "a"))
  }
}
