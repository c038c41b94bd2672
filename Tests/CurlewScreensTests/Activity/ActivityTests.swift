import CurlewScreens
import CurlewTesting
import Testing

/// A screen whose loads begin, end and fail as a test says.
struct Board: LoadingScreen {
  enum Event {
    case begin(String), end(String), fail(String, String), postpone(String, Duration)
    case retry(String)
  }

  struct State: Equatable {
    var loads: [String: Load] = [:]
    var retried: [String] = []
  }

  /// Whether it tries again by itself.
  var retries = false
  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .begin(let name):
      state.loads[name] = Load(name: WorkID(name), isLoading: true, failure: nil)
    case .end(let name):
      state.loads[name] = nil
    case .fail(let name, let words):
      state.loads[name] = Load(
        name: WorkID(name), isLoading: false, failure: LoadFailure(message: words))
    case .postpone(let name, let wait):
      state.loads[name] = Load(
        name: WorkID(name), isLoading: false,
        failure: LoadFailure(message: "Later.", retryAfter: wait))
    case .retry(let name):
      state.retried.append(name)
      state.loads[name] = Load(name: WorkID(name), isLoading: true, failure: nil)
    }
  }

  func event(retrying load: WorkID) -> Event? { retries ? .retry(load.name) : nil }

  func loads(in state: State) -> [Load] {
    state.loads.values.sorted { $0.name.name < $1.name.name }
  }
}

/// One indicator for all loads, calm, and errors that can be dismissed.
@Suite(.timeLimit(.minutes(1)))
struct ActivityTests {
  let probe = ScreenProbe(ActivityTracking(Board()), checksLoads: false)

  var isVisible: Bool { probe.state.activity.isVisible }
  var alerts: [String] {
    probe.state.activity.alerts.map { "\($0.name): \($0.failure.message)" }
  }

  func send(_ event: Board.Event) { probe.send(.content(event)) }

  func wait(_ milliseconds: Int) { probe.advance(by: .milliseconds(milliseconds)) }

  /// Whether nothing happens any more, and nothing is going to.
  var isAtRest: Bool { !isVisible && probe.clock.sleepers == 0 && !probe.runner.isWorking }

  // MARK: The indicator

  @Test func workThatIsShorterThanTheDelayShowsNothing() {
    send(.begin("a"))
    #expect(!isVisible)
    wait(199)
    send(.end("a"))
    #expect(isAtRest)
    wait(5_000)
    #expect(probe.states.allSatisfy { !$0.activity.isVisible })
  }

  @Test func workThatGoesOnIsShownAfterTheDelay() {
    send(.begin("a"))
    wait(199)
    #expect(!isVisible)
    wait(1)
    #expect(isVisible)
    wait(60_000)
    #expect(isVisible)
    send(.end("a"))
    #expect(isAtRest)
  }

  @Test func indicatorThatShowedStaysTheMinimum() {
    send(.begin("a"))
    wait(200)
    send(.end("a"))
    wait(499)
    #expect(isVisible)
    wait(1)
    #expect(isAtRest)
  }

  @Test func workThatEndsWithTheMinimumHidesTheIndicatorAtOnce() {
    send(.begin("a"))
    wait(700)
    #expect(isVisible)
    send(.end("a"))
    #expect(isAtRest)
  }

  @Test func workThatEndsAndBeginsAgainWaitsForTheDelayAnew() {
    send(.begin("a"))
    wait(150)
    send(.end("a"))
    send(.begin("a"))
    wait(199)
    #expect(!isVisible)
    wait(1)
    #expect(isVisible)
  }

  @Test func workThatBeginsAgainWhileTheIndicatorStaysKeepsItUp() {
    send(.begin("a"))
    wait(200)
    send(.end("a"))
    wait(400)
    send(.begin("b"))
    wait(1_000)
    #expect(isVisible)
    send(.end("b"))
    #expect(isAtRest)
    #expect(
      changes() == [false, true, false], "it neither flickers nor comes up twice for one wait")
  }

  @Test func workThatBeganAndEndedWhileTheIndicatorStayedDoesNotKeepItUp() {
    send(.begin("a"))
    wait(200)
    send(.end("a"))
    send(.begin("b"))
    wait(100)
    send(.end("b"))
    wait(400)
    #expect(isAtRest)
  }

  @Test func indicatorIsThereUntilTheLastOfSeveralLoadsEnds() {
    send(.begin("a"))
    wait(100)
    send(.begin("b"))
    wait(100)
    #expect(isVisible)
    wait(500)
    send(.end("a"))
    #expect(isVisible)
    send(.fail("b", "no"))
    #expect(isAtRest)
  }

  @Test func indicatorComesUpAgainForWorkLaterOn() {
    for _ in 1...3 {
      send(.begin("a"))
      wait(1_000)
      #expect(isVisible)
      send(.end("a"))
      #expect(isAtRest)
      wait(1_000)
    }
  }

  @Test func timesCanBeChosen() {
    let timing = IndicatorTiming(delay: .seconds(1), minimum: .seconds(2))
    let probe = ScreenProbe(ActivityTracking(Board(), timing: timing), checksLoads: false)
    probe.send(.content(.begin("a")))
    probe.advance(by: .milliseconds(999))
    #expect(!probe.state.activity.isVisible)
    probe.advance(by: .milliseconds(1))
    probe.send(.content(.end("a")))
    probe.advance(by: .milliseconds(1_999))
    #expect(probe.state.activity.isVisible)
    probe.advance(by: .milliseconds(1))
    #expect(!probe.state.activity.isVisible)
    #expect(probe.clock.sleepers == 0)
  }

  @Test func withoutDelayAndMinimumTheIndicatorIsTheWorkItself() {
    let probe = ScreenProbe(
      ActivityTracking(Board(), timing: IndicatorTiming(delay: .zero, minimum: .zero)),
      checksLoads: false)
    for _ in 1...2 {
      probe.send(.content(.begin("a")))
      #expect(probe.state.activity.isVisible)
      probe.send(.content(.end("a")))
      #expect(!probe.state.activity.isVisible)
    }
  }

  @Test func timersAreNoWork() {
    send(.begin("a"))
    #expect(!probe.runner.isWorking, "the board has no work of its own")
    wait(200)
    send(.end("a"))
    #expect(probe.clock.sleepers == 1)
    #expect(!probe.runner.isWorking)
  }

  // MARK: Suspended

  @Test func suspendedScreenGoesOnWithItsTimesWhenItIsResumed() {
    send(.begin("a"))
    wait(100)
    probe.runner.suspend()
    wait(10_000)
    #expect(!isVisible)
    probe.runner.resume()
    probe.settle()
    #expect(isVisible, "it loads for longer than the delay")
    probe.runner.suspend()
    send(.end("a"))
    #expect(isVisible)
    wait(10_000)
    probe.runner.resume()
    probe.settle()
    #expect(isAtRest)
  }

  @Test func workThatEndsWhileSuspendedShowsNothingLater() {
    send(.begin("a"))
    probe.runner.suspend()
    send(.end("a"))
    probe.runner.resume()
    wait(10_000)
    #expect(isAtRest)
    #expect(changes() == [false])
  }

  // MARK: Alerts

  @Test func errorsOfSeveralLoadsAreShownInTheirOrderUntilEachIsDismissed() {
    send(.fail("b", "two"))
    send(.fail("a", "one"))
    #expect(alerts == ["a: one", "b: two"])
    probe.send(.dismiss("b"))
    #expect(alerts == ["a: one"])
    probe.send(.dismiss("a"))
    #expect(alerts == [])
    wait(5_000)
    #expect(alerts == [])
  }

  @Test func dismissedErrorStaysAwayWhateverElseHappens() {
    send(.fail("a", "one"))
    probe.send(.dismiss("a"))
    send(.begin("b"))
    wait(1_000)
    send(.fail("b", "two"))
    #expect(alerts == ["b: two"])
  }

  @Test func sameErrorShowsAgainAfterARetry() {
    send(.fail("a", "one"))
    probe.send(.dismiss("a"))
    send(.begin("a"))
    #expect(alerts == [])
    send(.fail("a", "one"))
    #expect(alerts == ["a: one"])
  }

  @Test func anotherErrorOfTheSameLoadShows() {
    send(.fail("a", "one"))
    probe.send(.dismiss("a"))
    send(.fail("a", "other"))
    #expect(alerts == ["a: other"])
    send(.fail("a", "one"))
    #expect(alerts == ["a: one"], "it failed anew, though nobody saw it load")
  }

  @Test func errorOfALoadThatWentAwayMeanwhileShowsAgain() {
    send(.fail("a", "one"))
    probe.send(.dismiss("a"))
    send(.end("a"))
    send(.fail("a", "one"))
    #expect(alerts == ["a: one"])
  }

  @Test func errorGoesWhenItsLoadBeginsAgain() {
    send(.fail("a", "one"))
    send(.begin("a"))
    #expect(alerts == [])
  }

  @Test func dismissingWhatIsNotThereDoesNothing() {
    let states = probe.states
    probe.send(.dismiss("a"))
    #expect(probe.states == states)
    send(.fail("a", "one"))
    #expect(alerts == ["a: one"])
  }

  /// Whether the indicator was visible, each time that this changed.
  private func changes() -> [Bool] {
    probe.states.map(\.activity.isVisible).reduce(into: []) { seen, isVisible in
      if seen.last != isVisible { seen.append(isVisible) }
    }
  }
}
