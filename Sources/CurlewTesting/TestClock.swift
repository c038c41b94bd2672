import Synchronization
import Testing

/// A clock whose time passes only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let client = Client(baseURL: url) { $0.clock = clock }
/// async let response = client.send(endpoint)
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(30))     // the call has timed out now
/// ```
public final class TestClock: Clock {
  /// The type of the clock's intervals.
  public typealias Duration = Swift.Duration

  /// A point in time, measured from the creation of the clock.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the creation of the clock.
    public let offset: Duration

    /// Returns the instant later by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the time from this instant to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns whether one instant is before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }

    /// The time since the creation of the clock.
    public var description: String { "\(offset)" }
  }

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Bool, Never>

    func wakes(before other: Sleeper) -> Bool { (deadline, id) < (other.deadline, other.id) }
  }

  private struct State {
    var now = Instant(offset: .zero)
    var lastID: UInt64 = 0
    /// Sorted by deadline.
    var sleepers: [Sleeper] = []
  }

  private let state = Mutex(State())
  private let sleeperCount = Counter()
  /// The executor that is drained after each wake-up; `nil` for none.
  public let executor: TestExecutor?

  /// Creates a clock at zero.
  ///
  /// - Parameter executor: The executor to drain after each wake-up, so that tasks run in the order of their deadlines
  ///   within an `advance` call.
  public init(executor: TestExecutor? = nil) {
    self.executor = executor
  }

  /// The current time.
  public var now: Instant { state.withLock { $0.now } }

  /// The clock's resolution: zero.
  public var minimumResolution: Duration { .zero }

  /// The number of sleeping tasks.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// The times until the sleeping tasks wake up, the next first.
  package var sleeps: [Duration] {
    state.withLock { state in state.sleepers.map { $0.deadline.offset - state.now.offset } }
  }

  /// Suspends until the clock is advanced to a deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let hasElapsed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        addSleeper(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
      }
      if let sleeper { wake(sleeper, hasElapsed: false) }
    }
    guard hasElapsed else { throw CancellationError() }
  }

  private func addSleeper(_ sleeper: Sleeper) {
    let hasElapsed = state.withLock { state -> Bool? in
      if Task.isCancelled { return false }
      if sleeper.deadline <= state.now { return true }
      let index = state.sleepers.firstIndex { sleeper.wakes(before: $0) }
      state.sleepers.insert(sleeper, at: index ?? state.sleepers.endIndex)
      return nil
    }
    // Resumed outside the lock: a concurrently cancelled task holds its status lock, which resuming needs, while its
    // cancellation handler waits for this lock.
    if let hasElapsed {
      sleeper.continuation.resume(returning: hasElapsed)
    } else {
      sleeperCount.increment()
    }
  }

  private func wake(_ sleeper: Sleeper, hasElapsed: Bool) {
    sleeperCount.increment(by: -1)
    sleeper.continuation.resume(returning: hasElapsed)
  }

  /// Advances the clock and wakes each sleeper at its deadline, earliest first.
  ///
  /// Without an executor, tasks that the same call wakes run in any order. If the order matters, advance to one
  /// deadline at a time.
  public func advance(by duration: Duration) {
    advance(by: duration, reportingAt: #_sourceLocation)
  }

  /// Advances the clock; the test fails at a location if tasks sleep without end.
  func advance(by duration: Duration, reportingAt location: SourceLocation) {
    executor?.drain(reportingAt: location)
    let target = now.advanced(by: duration)
    var count = 0
    while let sleeper = next(until: target) {
      count += 1
      if count > 100_000 {
        sleeper.continuation.resume(returning: false)
        let problem = "The work sleeps without end: \(count) times until \(now)."
        return failTest(problem, sourceLocation: location)
      }
      wake(sleeper, hasElapsed: true)
      executor?.drain(reportingAt: location)
    }
    executor?.drain(reportingAt: location)
  }

  /// Removes and returns the next sleeper due by the target; if there is none, sets the clock to the target.
  private func next(until target: Instant) -> Sleeper? {
    state.withLock { state in
      guard let deadline = state.sleepers.first?.deadline, deadline <= target else {
        // Under the same lock, so that new sleepers see the new time.
        state.now = max(state.now, target)
        return nil
      }
      let sleeper = state.sleepers.removeFirst()
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
  }

  /// Advances the time without waking sleepers, like a suspended process.
  ///
  /// The next ``advance(by:)`` wakes the due sleepers.
  package func jump(by duration: Duration) {
    state.withLock { $0.now = $0.now.advanced(by: duration) }
  }

  /// Waits until at least this many tasks are sleeping, so that advancing the clock wakes them.
  ///
  /// Returns early if its task is cancelled, for example by the test's time limit.
  public func waitForSleepers(_ count: Int = 1) async {
    await sleeperCount.wait(for: count)
  }
}
