import CurlewScreens
import CurlewTesting
import TestSupport
import Testing

/// The activity of the module's screens.
@Suite(.timeLimit(.minutes(5)))
struct TrackedTests {
  let pages = PendingResponses<PageKey?, Page<Entry>>()
  let probe: ScreenProbe<Feed<Entry>>

  init() {
    let pages = pages
    probe = ScreenProbe(Feed { try await pages.next(for: $0) })
  }

  func reply(_ result: Result<Page<Entry>, any Error>) {
    pages.reply(result)
    probe.settle()
  }

  @Test func `a runner without options has no activity`() async {
    let runner = Runner(Feed<Entry> { _ in throw Broken() })
    await runner.send(.load).finished()
    #expect(runner.state.failure != nil && runner.activity == ScreenActivity())
  }

  @Test func `indicator and error follow the load`() {
    probe.send(.load)
    #expect(probe.runner.isWorking)
    probe.advance(by: .milliseconds(200))
    #expect(!probe.activity.loading.isEmpty)
    probe.advance(by: .milliseconds(500))
    reply(.failure(Broken()))
    #expect(probe.activity.loading.isEmpty)
    #expect(probe.activity.alerts.map(\.failure.textOnly) == [.broken])
    #expect(probe.activity.alerts.map(\.name) == [.feed])
    #expect(!probe.runner.isWorking)
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `response at once shows no indicator and is one state`() {
    probe.send(.load)
    let count = probe.states.count
    reply(.success(Page(1...2)))
    #expect(probe.states.count == count + 1)
    #expect(probe.clock.sleepers == 0)
    #expect(probe.activities.allSatisfy { $0.loading.isEmpty })
  }

  @Test func `spinner and error are never on screen for one load`() {
    probe.send(.load)
    reply(.failure(Broken()))
    probe.send(.retry)
    reply(.failure(Broken()))
    probe.send(.retry)
    reply(.success(Page(1...2)))
    #expect(probe.activities.map(\.alerts.count) == [0, 1, 0, 1, 0])
  }

  @Test func `each screen names its loads and their retry`() {
    let search = Search<String> { [$0] }
    let pagedSearch = PagedSearch<Entry> { _, _ in Page([1]) }
    let detail = Detail<Int, Int, Int> { $0 }
    let feed = Feed<Entry> { _ in Page([1]) }
    func atRest<Event>(_ name: WorkID, retry: Event) -> [LoadStatus<Event>] {
      [LoadStatus(name: name, isLoading: false, failure: nil, retry: retry)]
    }
    #expect(search.loads(in: search.initial) == atRest("search", retry: .retry))
    #expect(
      pagedSearch.loads(in: pagedSearch.initial) == atRest("search", retry: .list(.retry)))
    #expect(detail.loads(in: detail.initial) == atRest("detail", retry: .retry))
    #expect(feed.loads(in: feed.initial) == atRest(.feed, retry: .retry))
  }

  @Test func `tracked search and detail tell loading and failure`() {
    let search = ScreenProbe(Search<String> { _ -> [String] in throw Broken() })
    search.send(.term("a"))
    search.send(.submit)
    #expect(search.activity.alerts.map(\.name) == ["search"])
    let detail = ScreenProbe(Detail<Int, Int, Int> { _ in throw Broken() })
    detail.send(.show(1))
    #expect(detail.activity.alerts.map(\.name) == ["detail"])
    let paged = ScreenProbe(PagedSearch<Entry> { _, _ in throw Broken() })
    paged.send(.term("a"))
    paged.send(.submit())
    #expect(paged.activity.alerts.map(\.name) == ["search"])
  }

  @Test func `content that follows its own state still does`() {
    struct Doubling: Screen {
      var initial: Int { 0 }
      func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) { state = event }
      func stateDidChange(_ state: inout Int, _ work: inout Work<Int>) {
        if state < 10 { state *= 2 }
        work.timer("later", after: .seconds(1)) { state, _ in state = 100 }
      }
      func loads(in state: Int) -> [LoadStatus<Event>] {
        [LoadStatus(name: "big", isLoading: state >= 10, failure: nil)]
      }
    }
    let probe = ScreenProbe(Doubling())
    probe.send(3)
    #expect(probe.state == 12)
    probe.advance(by: .milliseconds(200))
    #expect(!probe.activity.loading.isEmpty, "what follows is tracked, too")
    probe.advance(by: .seconds(1))
    #expect(probe.state == 100)
  }

  /// Suspends and resumes, as `ScreenModel.run()` does for a view that disappears and returns.
  @Test func `suspended load goes on with its indicator`() {
    probe.send(.load)
    probe.advance(by: .milliseconds(100))
    probe.runner.suspend()
    reply(.success(Page(1...2)))
    probe.advance(by: .seconds(10))
    probe.runner.resume()
    probe.settle()
    #expect(probe.state.isLoading)
    #expect(!probe.activity.loading.isEmpty)
    reply(.success(Page(1...2)))
    probe.advance(by: .milliseconds(500))
    #expect(probe.activity.loading.isEmpty)
    #expect(probe.state.status == .ended)
    #expect(probe.clock.sleepers == 0)
  }

  @MainActor
  @Test func `view that returns finds its load and its indicator again`() async {
    let (pages, clock) = (pages, TestClock())
    let model = ScreenModel(
      Feed<Entry> { try await pages.next(for: $0) }, clock: clock)
    let view = Task { await model.run() }
    model.send(.load)
    await eventually { !pages.waiting.isEmpty }
    await clock.waitForSleepers()
    view.cancel()
    await view.value
    #expect(clock.sleepers == 0, "a view that is away costs nothing")
    clock.advance(by: .seconds(10))
    #expect(model.activity.loading.isEmpty)
    let next = Task { await model.run() }
    await eventually { !model.activity.loading.isEmpty && pages.requested.count == 2 }
    #expect(model.state.isLoading)
    pages.reply(.success(Page(1...2)), to: pages.waiting.count - 1)
    await eventually { !model.state.isLoading }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(500))
    await eventually { model.activity.loading.isEmpty }
    #expect(model.state.items == [1, 2])
    next.cancel()
    await next.value
  }
}
