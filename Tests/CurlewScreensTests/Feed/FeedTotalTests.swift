import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The total and the position of edited items while pages load.
@Suite(.timeLimit(.minutes(1))) struct FeedTotalTests {
  struct Editing: Screen {
    enum Event: Sendable {
      case feed(Feed<Entry>.Event), edit(@Sendable (inout Feed<Entry>.State) -> Void)
    }

    let feed: Feed<Entry>
    let initial = Feed<Entry>.State()

    func handle(
      _ event: Event, _ state: inout Feed<Entry>.State, _ work: inout Work<Feed<Entry>.State>
    ) {
      switch event {
      case .feed(let event): feed.handle(event, &state, &work)
      case .edit(let change): change(&state)
      }
    }
  }

  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Editing>

  init() {
    let pages = pages
    probe = ScreenProbe(Editing(feed: Feed { try await pages.next(for: $0) }))
    probe.send(.feed(.load))
    reply([1, 2, 3], next: 2, total: 10)
  }

  func reply(_ ids: [Int], next: Int? = nil, total: Int?) {
    pages.reply(
      .success(Page(ids.map { Entry($0) }, next: next.map { .number($0) }, total: total)))
    probe.settle()
  }

  func edit(_ change: @escaping @Sendable (inout Feed<Entry>.State) -> Void) {
    probe.send(.edit(change))
  }

  var ids: [Int] { probe.state.items.map(\.id) }

  @Test(arguments: [Feed<Entry>.Event.more, .refresh], [(10, 9), (9, 9), (nil, 9), (20, 20)])
  func `removal during a transfer counts once`(event: Feed<Entry>.Event, totals: (Int?, Int)) {
    probe.send(.feed(event))
    edit { $0.remove(2) }
    #expect(probe.state.total == 9)
    if case .more = event {
      reply([4, 5], next: 3, total: totals.0)
      #expect(ids == [1, 3, 4, 5])
      #expect(probe.state.total == totals.1)
    } else {
      reply([1, 2, 3], next: 2, total: totals.0)
      #expect(ids == [1, 3])
      if totals.0 != nil { #expect(probe.state.total == totals.1) }
    }
  }

  @Test(arguments: [(10, 11), (11, 11)])
  func `insertion during a transfer counts once`(totals: (Int, Int)) {
    probe.send(.feed(.more))
    edit { $0.insert(Entry(9)) }
    #expect(probe.state.total == 11)
    reply([4, 5], next: 3, total: totals.0)
    #expect(ids == [9, 1, 2, 3, 4, 5])
    #expect(probe.state.total == totals.1)
  }

  @Test func `row inserted after a pending one stays there`() {
    edit { $0.insert(Entry(8), until: "first") }
    edit { $0.insert(Entry(9), at: 1) }
    #expect(ids == [8, 9, 1, 2, 3])
    edit { $0.rollBack("first") }
    #expect(ids == [9, 1, 2, 3])
  }

  @Test func `row inserted after an item and a pending one stays behind the item`() {
    edit { $0.insert(Entry(8), at: 2, until: "first") }
    edit { $0.insert(Entry(9), at: 3, until: "second") }
    #expect(ids == [1, 2, 8, 9, 3])
    edit { $0.rollBack("first") }
    #expect(ids == [1, 2, 9, 3])
    edit { $0.commit("second") }
    #expect(ids == [1, 2, 9, 3])
  }

  @Test func `total of the current page counts what was inserted meanwhile once`() {
    let (values, continuation) = AsyncStream<Dated<Page<Entry>>>.makeStream()
    let probe = ScreenProbe(Editing(feed: Feed(source: Source(values: { _ in values }))))
    func deliver(_ total: Int) {
      continuation.yield(
        Dated(Page([Entry(1), Entry(2)], next: .number(2), total: total), asOf: nil))
      probe.settle()
    }
    probe.send(.feed(.load))
    deliver(100)
    probe.send(.edit { $0.insert(Entry(9)) })
    #expect(probe.state.total == 101)
    // Requested after the insertion, whose position is on a later page.
    deliver(101)
    continuation.finish()
    probe.settle()
    #expect(probe.state.status == .content)
    #expect(probe.state.total == 101)
  }
}
