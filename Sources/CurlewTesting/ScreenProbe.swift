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
  private let log: Log
  private let initial: S.State

  private let checksLoads: Bool

  /// Starts a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - activity: The options of the ``activity``.
  ///   - checksLoads: Whether the test fails when the screen shows a load without running work that could end it.
  ///     Pass `false` if the test sets the state itself.
  public init(
    _ screen: S, activity: ScreenActivity.Options = .init(), checksLoads: Bool = true
  ) {
    self.checksLoads = checksLoads
    let executor = TestExecutor()
    let clock = TestClock(executor: executor)
    let log = Log()
    self.executor = executor
    self.clock = clock
    self.log = log
    runner = Runner(
      screen, clock: clock, executor: .custom(executor), activity: activity,
      observer: { time, record in
        log.records.withLock { $0.append((time, record)) }
      })
    initial = runner.state
  }

  /// The current state.
  public var state: S.State { runner.state }

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

  /// The steps of running work so far, in order.
  public var steps: [WorkStep] { steps { $0 != 0 } }

  /// The steps of waiting loads so far, in order.
  public var waits: [WorkStep] { steps { $0 == 0 } }

  private func steps(where isIncluded: (_ run: UInt64) -> Bool) -> [WorkStep] {
    records.compactMap {
      if case .work(_, let step, let run) = $0.record, isIncluded(run) { step } else { nil }
    }
  }

  /// Sends an event and runs all jobs that can run without advancing time.
  @discardableResult
  public func send(_ event: S.Event) -> PendingWork {
    let sent = runner.send(event)
    settle()
    return sent
  }

  /// Dismisses an alert.
  public func dismiss(_ alert: ScreenActivity.Alert.ID) {
    runner.dismiss(alert)
    settle()
  }

  /// Dismisses an alert, and repeats its failed load.
  public func retry(_ alert: ScreenActivity.Alert.ID) {
    runner.retry(alert)
    settle()
  }

  /// Suspends the screen, as its view does when it disappears.
  public func suspend() {
    runner.suspend()
    settle()
  }

  /// Resumes the screen, as its view does when it appears again.
  public func resume() {
    runner.resume()
    settle()
  }

  /// Advances the clock.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
    settle()
  }

  /// Runs all jobs that can run without advancing time.
  ///
  /// The test fails if the state then shows a load without running work that could end it.
  public func settle() {
    executor.drain()
    guard checksLoads else { return }
    let stuck = runner.stuckLoads
    guard !stuck.isEmpty, log.stuck.withLock({ $0.insert("\(stuck)").inserted }) else { return }
    failTest(
      "\(S.self) shows \(stuck.map(\.description).joined(separator: ", ")) as loading, but no work is running that could end it."
    )
  }

  private final class Log: Sendable {
    let records = Mutex<[(time: Duration, record: RunnerRecord<S>)]>([])
    let stuck = Mutex<Set<String>>([])
  }
}

/// Responses that a test supplies one by one: a screen's work suspends in ``next(for:)`` until the test replies.
///
/// A cancelled call keeps waiting, because a server's response may already be in transit. A test can therefore reply to
/// a superseded call late.
public final class PendingResponses<Request: Sendable, Response: Sendable>: Sendable {
  private struct Call {
    let request: Request
    let continuation: CheckedContinuation<Result<Response, any Error>, Never>
  }

  private struct State {
    var requested: [Request] = []
    var waiting: [Call] = []
  }

  private let state = Mutex(State())

  /// Creates an instance without requests.
  public init() {}

  /// The requests so far, in order.
  public var requested: [Request] { state.withLock { $0.requested } }

  /// The pending requests, in order.
  public var waiting: [Request] { state.withLock { $0.waiting.map(\.request) } }

  /// Suspends until the test replies to a request.
  public func next(for request: Request) async throws -> Response {
    let result = await withCheckedContinuation { continuation in
      state.withLock { state in
        state.requested.append(request)
        state.waiting.append(Call(request: request, continuation: continuation))
      }
    }
    return try result.get()
  }

  /// Replies to the pending request at an index, by default the oldest request.
  ///
  /// The test fails if no request is pending at the index.
  public func reply(
    _ result: Result<Response, any Error>, to index: Int = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let (call, waiting) = state.withLock { state in
      let waiting = state.waiting.map(\.request)
      return (waiting.indices.contains(index) ? state.waiting.remove(at: index) : nil, waiting)
    }
    guard let call else {
      failTest(
        "No request is pending at index \(index). Pending: \(waiting).",
        sourceLocation: sourceLocation)
      return
    }
    call.continuation.resume(returning: result)
  }
}

extension PendingResponses where Request: Equatable {
  /// Replies to the oldest pending request that equals a value.
  ///
  /// The test fails if no such request is pending.
  public func reply(
    _ result: Result<Response, any Error>, for request: Request,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let index = waiting.firstIndex(of: request) else {
      failTest(
        "\(String(reflecting: request)) is not pending. Pending: \(waiting).",
        sourceLocation: sourceLocation)
      return
    }
    reply(result, to: index, sourceLocation: sourceLocation)
  }
}
