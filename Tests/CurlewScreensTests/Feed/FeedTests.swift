import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// What a paged list does, with responses that the test controls.
@Suite(.timeLimit(.minutes(1)))
struct FeedTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()

  @Test func `the first and the next page are loaded one by one`() {
    let probe = ScreenProbe(Feed { [pages] in try await pages.next(for: $0) })
    #expect(probe.state.status == .idle)
    probe.send(.load)
    #expect(probe.state.status == .loading(.first))
    #expect(pages.requested == [nil])
    pages.reply(.success(Page(1...10, next: .number(2))))
    probe.settle()
    #expect(probe.state.status == .content)
    #expect(probe.state.items.map(\.id) == Array(1...10))
    probe.send(.more)
    #expect(probe.state.status == .loading(.next))
    pages.reply(.success(Page(11...20)))
    probe.settle()
    #expect(probe.state.status == .ended)
    #expect(probe.state.items.map(\.id) == Array(1...20))
  }

  private static let twoPages =
    "load; page 1..10 next 2 of 40; more; page 11..20 next 3 of 40; requested first 2;"

  private static let scenarios =
    Scenario.all(
      """
      a failed list whose view returns tries again
        load; fail; suspend; resume; load; is loading first; page 1..10 next 2; more; fail
        load; is loading next; finished false; page 11..20 next 3; load; shows 1..20
        requested first first 2 2
      a list is opened at the same place again
        restore 2 3; is loading first; requested 2; page 2 next 3; is loading first; requested 2 3
        page 3 next 4; is loading first; requested 2 3 4; page 4 next 5
        shows 2 3 4; is content; pages 3; next 5
      a place that is gone or fails keeps what came
        restore first 9; page 1..3 next 2; page 4..6 next 3; fail; shows 1..6; is failed next
        restore 7 9; page 7..9; is ended; pages 1
      a list that comes into view again is not loaded again
        load; load; page 1..10 next 2; load; requested first
      a list without items is empty
        load; page of 0; is empty; total 0; canLoadMore false; more; requested first
      an error on the first page is retried, by the user alone
        load; fail; is failed first; shows nothing; canLoadMore false; more; appeared 1
        requested first; retry; is loading first; page 1..3; is ended; requested first first
      the next page is loaded as the end comes near
        load; page 1..10 next 2; appeared 1..5 99; requested first; appeared 6; is loading next
        requested first 2; page 11..20 next 3; shows 1..20; appeared 1..15; requested first 2
        appeared 20; requested first 2 3
      a user can ask for the next page
        load; more; requested first; page 1..10 next 2; canLoadMore true; more; requested first 2
      there is one transfer at a time
        load; page 1..10 next 2; appeared 1..10; more; more; more; requested first 2
        refresh; refresh; more; appeared 1..10; requested first 2 first; loads first; atOnce 1
      pages go on to the last
        load; page 1 next 2 of 3; more; page 2 next 3 of 3; more; page 3 of 3; more; more
        shows 1 2 3; is ended; total 3; requested first 2 3
      pages by cursor and by link are asked for as they were named
        load; (page 1 next b7==; more; requested first b7==
              |page 1 next https://a.example/list?page=2&x=%20; more;
                requested first https://a.example/list?page=2&x=%20)
      a list can begin elsewhere, and a refresh keeps its beginning
        restore 3; start 3; requested 3; page 21..30 next 4; restore 3; requested 3
        refresh; requested 3 3
      an idle list has no source to change
        sourceChanged; requested nothing
      """)
    + Scenario.all(
      after: twoPages,
      """
      an error on a page keeps the pages before it and retries from there
        more; fail; is failed next; shows 1..20; total 40; appeared 20; requested first 2 3
        canLoadMore true; (retry|more); is loading next; requested first 2 3 3
        page 21..30 next 4; shows 1..30; is content
      the end is a state
        more; page 21..25 of 25; is ended; canLoadMore false; total 25; appeared 1..25; more; retry
        requested first 2 3
      the total stays where a later page does not tell
        more; page 21..30 next 4; total 40
      a replaced list drops what is there and what is on its way
        more; sourceChanged; shows nothing; is loading first; requested first 2 3 first
        late page 21..30; shows nothing; page 31..33; shows 31..33
      opening elsewhere drops what is there and what is on its way
        more; restore 7; shows nothing; is loading first; late page 21..30 next 4; shows nothing
        page 61..70; shows 61..70; restore first; requested first 2 3 7 first; start first
      equal states are delivered once
        appeared 1..12; load; retry
        went idle, loading first, content, loading next, content
      """)

  @Test(arguments: scenarios) func `a list does as its scenario says`(scenario: Scenario) throws {
    try scenario.run(FeedSteps().perform)
  }

  @Test func `an address asks for ten pages at most`() throws {
    let steps = (1...10).map { "page \($0) next \($0 + 1)" }
    let many = "restore first \(Int.max); \(steps.joined(separator: ";")); is content"
    let few = "restore 50 \(Int.min); page 50 next 51; pages 1"
    for scenario in Scenario.all("at most ten\n  \(many); loads nothing; \(few)") {
      try scenario.run(FeedSteps().perform)
    }
  }

  @Test func `the distance from the end can be chosen`() {
    let probe = ScreenProbe(
      Feed<Entry>(prefetchDistance: 1) { [pages] in try await pages.next(for: $0) })
    probe.send(.load)
    pages.reply(.success(Page(1...10, next: .number(2))))
    probe.settle()
    probe.send(.appeared(9))
    #expect(pages.requested == [nil])
    probe.send(.appeared(10))
    #expect(pages.requested == [nil, .number(2)])
  }

  @Test func `a state can say where the list begins`() {
    struct Later: Screen {
      let feed: Feed<Entry>
      var initial: Feed<Entry>.State { .init(start: .cursor("c")) }
      func handle(
        _ event: Feed<Entry>.Event, _ state: inout Feed<Entry>.State,
        _ work: inout Work<Feed<Entry>.State>
      ) { feed.handle(event, &state, &work) }
    }
    let probe = ScreenProbe(Later(feed: Feed { [pages] in try await pages.next(for: $0) }))
    probe.send(.load)
    #expect(pages.requested == [.cursor("c")])
  }
}
