import CurlewScreens
import CurlewTesting
import Testing

/// A screen whose loads begin, end and fail on a test's events.
struct Board: Screen {
  enum Event: Equatable {
    case begin(String), end(String), fail(String, String), postpone(String, Duration)
    case retry(String), failWrite(String)
  }

  struct State: Equatable {
    var loads: [String: LoadStatus<Event>] = [:]
    var retried: [String] = []
  }

  /// Whether it retries by itself.
  var retries = false
  var initial: State { State() }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .begin(let name):
      state.loads[name] = LoadStatus(name: "\(name)", isLoading: true, failure: nil)
    case .end(let name):
      state.loads[name] = nil
    case .fail(let name, let words):
      state.loads[name] = LoadStatus(
        name: "\(name)", isLoading: false, failure: LoadFailure(message: words))
    case .postpone(let name, let wait):
      state.loads[name] = LoadStatus(
        name: "\(name)", isLoading: false,
        failure: LoadFailure(message: "Later.", retryAfter: wait),
        retry: retries ? .retry(name) : nil)
    case .failWrite(let name):
      state.loads[name] = LoadStatus(
        name: "\(name)", kind: .write, isLoading: false, failure: LoadFailure(message: "Refused."),
        retry: .retry(name))
    case .retry(let name):
      state.retried.append(name)
      state.loads[name] = LoadStatus(name: "\(name)", isLoading: true, failure: nil)
    }
  }

  func loads(in state: State) -> [LoadStatus<Event>] {
    state.loads.sorted { $0.key < $1.key }.map(\.value)
  }
}

/// One indicator for all loads, without flicker, and errors that can be dismissed.
@Suite(.timeLimit(.minutes(1)))
struct ActivityTests {
  let probe = ScreenProbe(Board(), checksLoads: false)

  var isVisible: Bool { !probe.activity.loading.isEmpty }
  var alerts: [String] {
    probe.activity.alerts.map { "\($0.name): \($0.failure.message)" }
  }

  func send(_ event: Board.Event) { probe.send(event) }

  func dismiss(_ name: WorkID) {
    let alert = probe.activity.alerts.first { $0.name == name }
    if let alert { probe.dismiss(alert.id) }
  }

  func wait(_ milliseconds: Int) { probe.advance(by: .milliseconds(milliseconds)) }

  /// Whether no work or timer is left.
  var isAtRest: Bool { !isVisible && probe.clock.sleepers == 0 && !probe.runner.isWorking }

  // MARK: The indicator

  /// Steps: `+a` begins a load, `-a` ends it and `!a` fails it, a number advances the clock by milliseconds; the
  /// indicator is `on`, `off`, or off without pending timers (`rest`).
  @Test(arguments: [
    ("shorter than the delay", "+a off 199 -a rest 5000 rest", 1),
    ("longer", "+a 199 off 1 on 60000 on -a rest", 3),
    ("stays the minimum", "+a 200 -a 499 on 1 rest", 3),
    ("ends with the minimum", "+a 700 on -a rest", 3),
    ("waits for the delay anew", "+a 150 -a +a 199 off 1 on", 2),
    ("neither flickers nor comes up twice", "+a 200 -a 400 +b 1000 on -b rest", 3),
    ("ended while it stayed", "+a 200 -a +b 100 -b 400 rest", 3),
    ("until the last load ends", "+a 100 +b 100 on 500 -a on !b rest", 3),
    ("again later on", "+a 1000 on -a rest 1000 +a 1000 on -a rest", 5),
  ])
  func `indicator is calm`(what: String, steps: String, changes count: Int) throws {
    for step in steps.split(separator: " ") {
      let name = String(step.dropFirst())
      switch step.first {
      case "+": send(.begin(name))
      case "-": send(.end(name))
      case "!": send(.fail(name, "no"))
      case "o": #expect(isVisible == (step == "on"), "\(what)")
      case "r": #expect(isAtRest, "\(what)")
      default: wait(try #require(Int(step)))
      }
    }
    #expect(changes().count == count, "\(what)")
  }

  @Test func `times can be chosen`() {
    let probe = ScreenProbe(
      Board(), activity: .init(indicatorDelay: .seconds(1), minimumIndicatorTime: .seconds(2)),
      checksLoads: false)
    probe.send(.begin("a"))
    probe.advance(by: .milliseconds(999))
    #expect(probe.activity.loading.isEmpty)
    probe.advance(by: .milliseconds(1))
    probe.send(.end("a"))
    probe.advance(by: .milliseconds(1_999))
    #expect(!probe.activity.loading.isEmpty)
    probe.advance(by: .milliseconds(1))
    #expect(probe.activity.loading.isEmpty)
    #expect(probe.clock.sleepers == 0)
  }

  @Test func `without delay and minimum the indicator is the work itself`() {
    let probe = ScreenProbe(
      Board(), activity: .init(indicatorDelay: .zero, minimumIndicatorTime: .zero),
      checksLoads: false)
    for _ in 1...2 {
      probe.send(.begin("a"))
      #expect(!probe.activity.loading.isEmpty)
      probe.send(.end("a"))
      #expect(probe.activity.loading.isEmpty)
    }
  }

  // MARK: Suspended

  @Test func `suspended screen goes on with its times when it is resumed`() {
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

  @Test func `work that ends while suspended shows nothing later`() {
    send(.begin("a"))
    probe.runner.suspend()
    send(.end("a"))
    probe.runner.resume()
    wait(10_000)
    #expect(isAtRest)
    #expect(changes() == [false])
  }

  // MARK: Alerts

  @Test func `errors of several loads are shown in their order until each is dismissed`() {
    send(.fail("b", "two"))
    send(.fail("a", "one"))
    #expect(alerts == ["a: one", "b: two"])
    dismiss("b")
    #expect(alerts == ["a: one"])
    dismiss("a")
    #expect(alerts == [])
    wait(5_000)
    #expect(alerts == [])
  }

  /// Steps: `a:one` is a load's error, `xa` dismisses it, `+a` begins the load and `-a` ends it.
  @Test(arguments: [
    ("a:one xa +b b:two", ["b: two"]), ("a:one xa +a", []), ("a:one xa +a a:one", ["a: one"]),
    ("a:one xa a:other", ["a: other"]), ("a:one xa a:other a:one", ["a: one"]),
    ("a:one xa -a a:one", ["a: one"]), ("a:one +a", []),
  ])
  func `error is shown until it is dismissed or its load begins`(steps: String, shown: [String]) {
    for step in steps.split(separator: " ") {
      let words = step.split(separator: ":").map(String.init)
      switch step.first {
      case "x": dismiss("\(step.dropFirst())")
      case "+": send(.begin(String(step.dropFirst())))
      case "-": send(.end(String(step.dropFirst())))
      default: send(.fail(words[0], words[1]))
      }
    }
    #expect(alerts == shown)
  }

  @Test func `dismissing what is not there does nothing`() {
    let states = probe.activities
    probe.dismiss(1)
    #expect(probe.activities == states)
    send(.fail("a", "one"))
    #expect(alerts == ["a: one"])
  }

  /// Returns the indicator's visibility after each change.
  private func changes() -> [Bool] {
    probe.activities.map { !$0.loading.isEmpty }.reduce(into: []) { seen, isVisible in
      if seen.last != isVisible { seen.append(isVisible) }
    }
  }
}
