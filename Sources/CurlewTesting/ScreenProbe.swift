public import CurlewScreens
import Synchronization

/// Runs a screen on a virtual clock and a test's own executor, and records its states.
///
/// Nothing happens by itself: events, time and the responses of work come from the test, so each run
/// is the same.
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
  /// What the screen's work runs on.
  public let executor: TestExecutor
  /// The running screen.
  public let runner: Runner<S>
  private let log: Log
  private let initial: S.State

  /// Starts a screen.
  public init(_ screen: S) {
    let executor = TestExecutor()
    let clock = TestClock(executor: executor)
    let log = Log()
    self.executor = executor
    self.clock = clock
    self.log = log
    runner = Runner(
      screen, clock: clock, executor: .custom(executor),
      observer: { record in
        log.records.withLock { $0.append(record) }
      })
    initial = runner.state
  }

  /// The state now.
  public var state: S.State { runner.state }

  /// Every state that was delivered, the initial one first.
  public var states: [S.State] {
    [initial] + records.compactMap { if case .state(let state) = $0.kind { state } else { nil } }
  }

  /// All that happened in the runner, in order: events, steps of work and states.
  public var records: [RunnerRecord<S>] { log.records.withLock { $0 } }

  /// The steps of work so far, in order.
  public var steps: [WorkStep] {
    records.compactMap { if case .work(let step) = $0.kind { step } else { nil } }
  }

  /// Sends an event and lets everything run that can run without time passing.
  @discardableResult
  public func send(_ event: S.Event) -> SentEvent {
    let sent = runner.send(event)
    settle()
    return sent
  }

  /// Suspends the screen, as the end of its view does.
  public func suspend() {
    runner.suspend()
    settle()
  }

  /// Resumes the screen, as the return of its view does.
  public func resume() {
    runner.resume()
    settle()
  }

  /// Lets time pass.
  public func advance(by duration: Duration) {
    clock.advance(by: duration)
  }

  /// Lets everything run that can run without time passing.
  public func settle() {
    executor.drain()
  }

  private final class Log: Sendable {
    let records = Mutex<[RunnerRecord<S>]>([])
  }
}

/// Responses that a test gives when it wants to: the work of a screen waits in ``next(for:)`` until
/// the test replies.
///
/// A call that is cancelled goes on waiting, as a server's response that is on its way does: so a
/// test can let a superseded call response late.
public final class PendingResponses<Question: Sendable, Response: Sendable>: Sendable {
  private struct Call {
    let question: Question
    let continuation: CheckedContinuation<Result<Response, any Error>, Never>
  }

  private struct State {
    var requested: [Question] = []
    var waiting: [Call] = []
  }

  private let state = Mutex(State())

  /// Creates responses with no question asked yet.
  public init() {}

  /// Every question so far, in order.
  public var requested: [Question] { state.withLock { $0.requested } }

  /// The questions that wait for a response, in order.
  public var waiting: [Question] { state.withLock { $0.waiting.map(\.question) } }

  /// Asks, and waits for the test to reply.
  public func next(for question: Question) async throws -> Response {
    let result = await withCheckedContinuation { continuation in
      state.withLock { state in
        state.requested.append(question)
        state.waiting.append(Call(question: question, continuation: continuation))
      }
    }
    return try result.get()
  }

  /// Replies to the call that waits at a place, the oldest first; returns its question.
  @discardableResult
  public func reply(_ result: Result<Response, any Error>, to index: Int = 0) -> Question? {
    let call = state.withLock { state in
      state.waiting.indices.contains(index) ? state.waiting.remove(at: index) : nil
    }
    call?.continuation.resume(returning: result)
    return call?.question
  }
}

extension PendingResponses where Question: Equatable {
  /// Replies to the oldest call that waits with a question; returns whether there was one.
  @discardableResult
  public func reply(_ result: Result<Response, any Error>, for question: Question) -> Bool {
    waiting.firstIndex(of: question).map { reply(result, to: $0) } != nil
  }
}
