import CurlewScreens
import CurlewTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ScreenProbeTests {
  /// A screen that does what a test asks for.
  private struct Loads: Screen {
    enum Event { case stuck, endless, asleep, named }
    var clock: TestClock?
    var initial: Loadable<Int> { .idle }

    func loads(in state: Loadable<Int>) -> [LoadStatus<Event>] {
      [LoadStatus(name: "load", isLoading: state.isLoading, failure: nil)]
    }

    func handle(_ event: Event, _ state: inout Loadable<Int>, _ work: inout Work<Loadable<Int>>) {
      switch event {
      case .stuck: state.startLoading()
      case .named:
        work.latest("a") {
          1
        } finished: { _, _, _ in
        }
        work.latest("b", after: .seconds(1)) {
          1
        } finished: { _, _, _ in
        }
      case .endless:
        work.latest("load") {
          1
        } finished: { [self] state, _, work in
          handle(.endless, &state, &work)
        }
      case .asleep:
        work.latest("load") { [clock] in
          while true { try await clock?.sleep(for: .nanoseconds(1)) }
        } finished: { (_, _: Result<Void, any Error>, _) in
        }
      }
    }
  }

  @Test func `a stuck load is reported at the line of the test`() {
    let probe = ScreenProbe(Loads())
    let line = #line + 2
    withKnownIssue {
      probe.send(.stuck)
    } matching: {
      $0.sourceLocation?.line == line
    }
  }

  @Test func `work without end is reported`() {
    let clock = TestClock(executor: TestExecutor())
    let line = #line + 3
    withKnownIssue {
      let probe = ScreenProbe(Loads(), clock: clock)
      probe.send(.endless)
    } matching: {
      "\($0)".contains("does not come to rest") && $0.sourceLocation?.line == line
    }
    let other = TestClock(executor: TestExecutor())
    withKnownIssue {
      let probe = ScreenProbe(Loads(clock: other), clock: other)
      probe.send(.asleep)
      probe.advance(by: .seconds(1))
    } matching: {
      "\($0)".contains("sleeps without end") && $0.sourceLocation?.line == line + 8
    }
  }

  @Test func `steps belong to the work with a name`() {
    let probe = ScreenProbe(Loads())
    probe.send(.named)
    #expect(probe.steps(of: "a") == [.started, .finished(error: nil)])
    #expect(probe.steps(of: "b") == [.waiting(delay: .seconds(1))])
  }

  @Test func `two screens have one clock and a screen begins without an event`() {
    let clock = TestClock(executor: TestExecutor())
    let searches = [1, 2].map { number in
      ScreenProbe(Search<Int>(text: "a") { _ in [number] }, clock: clock)
    }
    searches[0].begin()
    searches[1].send(.term("ab"))
    clock.advance(by: .milliseconds(500))
    #expect(searches.map(\.state.items) == [[1], [2]])
  }
}
