public import CurlewScreens
import Synchronization
public import Testing

/// Runs a screen on a virtual clock and a test's own executor, and records its states.
///
/// The test sends events, advances time and supplies the results of work. Nothing else happens, so each run is
/// deterministic.
///
/// ```swift
/// let responses = PendingResponses<String, [Dog]>()
/// let probe = ScreenProbe(Search { try await responses.next(for: $0) })
/// probe.send(.term("akita"))
/// probe.advance(by: .milliseconds(500))
/// responses.reply(.success([akita]))
/// probe.settle()
/// #expect(probe.state.items == [akita])
/// ```
public final class ScreenProbe<S: Screen>: Sendable {
  /// The clock of the screen's delays.
  public let clock: TestClock
  /// The executor of the screen's work.
  public let executor: TestExecutor
  /// The running screen.
  public let runner: Runner<S>
  let log: Log
  private let initial: S.State
  let checksLoads: Bool
  let name: String

  /// Starts a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - activity: The options of the ``activity``; `nil` if it is not computed.
  ///   - clock: The clock, such as that of a store or of another screen's probe; it needs an executor.
  ///   - checksLoads: Whether the test fails when the screen shows a load without running work that could end it.
  ///     Pass `false` if the test sets the state itself.
  ///   - name: The variable with the probe in the code of an exploration.
  public init(
    _ screen: S, activity: ScreenActivity.Options? = .init(),
    clock: TestClock = TestClock(executor: TestExecutor()), checksLoads: Bool = true,
    name: String = "probe"
  ) {
    guard let executor = clock.executor else { preconditionFailure("The clock has no executor.") }
    (self.checksLoads, self.name) = (checksLoads, name)
    let log = Log()
    self.executor = executor
    self.clock = clock
    self.log = log
    runner = Runner(
      screen, clock: clock, executor: .custom(executor), navigator: log.routes, activity: activity,
      observer: { [run = ExplorationRun.current] time, record in
        log.records.withLock { $0.append((time, record)) }
        if let run, case .work(_, .finished, let number) = record {
          log.results.withLock { $0[number] = run.step }
        }
      })
    initial = runner.state
  }

  /// The current state.
  public var state: S.State { runner.state }

  /// The values in the current state with their paths, one a line, as the test of a `Trace` compares them.
  public var stateText: String { ValueText.text(of: state).joined(separator: "\n") }

  /// Whether the test or an exploration has suspended the screen.
  public var isSuspended: Bool { log.isSuspended.load(ordering: .relaxed) }

  /// Starts the work that the screen needs before any event, unless it has begun.
  public func begin(sourceLocation: SourceLocation = #_sourceLocation) {
    runner.begin()
    settle(sourceLocation: sourceLocation)
  }

  /// The indicator and the alerts of the screen's loads, and whether the network is unavailable.
  public var activity: ScreenActivity { runner.activity }

  /// The activities so far, the initial one first; each differs from the one before.
  public var activities: [ScreenActivity] {
    [ScreenActivity()]
      + records.compactMap { if case .activity(let activity) = $0.record { activity } else { nil } }
  }

  /// The states so far, the initial one first.
  public var states: [S.State] {
    [initial] + records.compactMap { if case .state(let state) = $0.record { state } else { nil } }
  }

  /// The runner's log in order: events, work steps, states and activities, with the times since its creation.
  public var records: [(time: Duration, record: RunnerRecord<S>)] { log.records.withLock { $0 } }

  /// The routes to which the screen has navigated, in order.
  public var routes: [any Route] { log.routes.all.withLock { $0 } }

  /// The steps of running work so far, in order.
  public var steps: [WorkStep] { steps { $0 != 0 } }

  /// The steps of waiting loads so far, in order.
  public var waits: [WorkStep] { steps { $0 == 0 } }

  /// The steps so far of the work with a name, in order, with its waits.
  public func steps(of id: WorkID) -> [WorkStep] {
    records.compactMap {
      if case .work(id, let step, _) = $0.record { step } else { nil }
    }
  }

  private func steps(where isIncluded: (_ run: UInt64) -> Bool) -> [WorkStep] {
    records.compactMap {
      if case .work(_, let step, let run) = $0.record, isIncluded(run) { step } else { nil }
    }
  }

  /// Sends an event and runs all jobs that can run without advancing time.
  @discardableResult
  public func send(_ event: S.Event, sourceLocation: SourceLocation = #_sourceLocation)
    -> PendingWork
  {
    guard comesNext(ExplorationStep("\(name).send(\(ValueText.code(event)))", .event(event))) else {
      return PendingWork()
    }
    let sent = runner.send(event)
    settle(sourceLocation: sourceLocation)
    return sent
  }

  /// Dismisses an alert.
  public func dismiss(
    _ alert: ScreenActivity.Alert.ID, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard comesNext(ExplorationStep("\(name).dismiss(\(name).activity.alerts[0].id)")) else {
      return
    }
    runner.dismiss(alert)
    settle(sourceLocation: sourceLocation)
  }

  /// Dismisses an alert, and repeats its failed load.
  public func retry(
    _ alert: ScreenActivity.Alert.ID, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard comesNext(ExplorationStep("\(name).retry(\(name).activity.alerts[0].id)")) else { return }
    runner.retry(alert)
    settle(sourceLocation: sourceLocation)
  }

  /// Suspends the screen, as its view does when it disappears.
  public func suspend(sourceLocation: SourceLocation = #_sourceLocation) {
    guard comesNext(ExplorationStep("\(name).suspend()")) else { return }
    log.isSuspended.store(true, ordering: .relaxed)
    runner.suspend()
    settle(sourceLocation: sourceLocation)
  }

  /// Resumes the screen, as its view does when it appears again.
  public func resume(sourceLocation: SourceLocation = #_sourceLocation) {
    guard comesNext(ExplorationStep("\(name).resume()")) else { return }
    log.isSuspended.store(false, ordering: .relaxed)
    runner.resume()
    settle(sourceLocation: sourceLocation)
  }

  /// Advances the clock.
  public func advance(by duration: Duration, sourceLocation: SourceLocation = #_sourceLocation) {
    guard comesNext(ExplorationStep("\(name).advance(by: \(ValueText.code(duration)))")) else {
      return
    }
    clock.advance(by: duration, reportingAt: sourceLocation)
    settle(sourceLocation: sourceLocation)
  }

  /// Lets an exploration perform other steps first; returns whether the script's step comes next.
  private func comesNext(_ step: @autoclosure () -> ExplorationStep) -> Bool {
    ExplorationRun.current?.order?.precede(step) ?? true
  }

  /// Runs all jobs that can run without advancing time.
  ///
  /// The test fails if the state then shows a load without running work that could end it.
  public func settle(sourceLocation: SourceLocation = #_sourceLocation) {
    executor.drain(reportingAt: sourceLocation)
    // An exploration checks the loads after each step.
    if ExplorationRun.current != nil { return }
    if let problem = stuckLoads, log.stuck.withLock({ $0.insert(problem).inserted }) {
      failTest(problem, sourceLocation: sourceLocation)
    }
  }

  /// The description of the loads that are shown as loading without running work; `nil` if there are none.
  var stuckLoads: String? {
    let stuck = checksLoads ? runner.stuckLoads : []
    if stuck.isEmpty { return nil }
    return
      "\(S.self) shows \(stuck.map(\.description).joined(separator: ", ")) as loading, but no work is running that could end it."
  }

  final class Routes: Navigator {
    let all = Mutex<[any Route]>([])

    func go(to route: any Route) { all.withLock { $0.append(route) } }
  }

  final class Log: Sendable {
    let records = Mutex<[(time: Duration, record: RunnerRecord<S>)]>([])
    let stuck = Mutex<Set<String>>([])
    let isSuspended = Atomic(false)
    let routes = Routes()
    /// The results in an exploration: the number of the step with each.
    let results = Mutex<[UInt64: Int]>([:])
  }
}
