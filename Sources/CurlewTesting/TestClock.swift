import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// let client = Client(baseURL: url) { $0.clock = clock }
/// async let response = client.send(endpoint)
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(30))     // the response is a timeout now
/// ```
public final class TestClock: Clock {
  /// The unit of its time.
  public typealias Duration = Swift.Duration

  /// A moment: the time since the clock was made.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the clock was made.
    public let offset: Duration

    /// Returns the moment that is this much later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns how much later another moment is.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one moment comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }

    /// The time since the clock was made.
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
    /// In the order in which they wake: a look at who is next must cost nothing.
    var sleepers: [Sleeper] = []
    var watchers: [(id: UInt64, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let executor: TestExecutor?

  /// Creates a clock at zero.
  ///
  /// - Parameter executor: Runs what wakes up before the clock goes on, so that a test sees things
  ///   happen in their order within one `advance`.
  public init(executor: TestExecutor? = nil) {
    self.executor = executor
  }

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: the clock stands still.
  public var minimumResolution: Duration { .zero }

  /// How many tasks are sleeping.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Suspends until the clock was advanced to a moment.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        fallAsleep(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      wake { $0.id == id }?.continuation.resume(returning: false)
    }
    guard isOver else { throw CancellationError() }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    let isOver = state.withLock { state -> Bool? in
      if Task.isCancelled { return false }
      if sleeper.deadline <= state.now { return true }
      let place = state.sleepers.firstIndex { sleeper.wakes(before: $0) }
      state.sleepers.insert(sleeper, at: place ?? state.sleepers.endIndex)
      let count = state.sleepers.count
      for watcher in state.watchers where watcher.count <= count { watcher.continuation.resume() }
      state.watchers.removeAll { $0.count <= count }
      return nil
    }
    if let isOver { sleeper.continuation.resume(returning: isOver) }
  }

  private func wake(where matches: (Sleeper) -> Bool) -> Sleeper? {
    state.withLock { state in
      state.sleepers.firstIndex(where: matches).map { state.sleepers.remove(at: $0) }
    }
  }

  /// Moves the clock on, and wakes each sleeper at its moment, the earliest first.
  ///
  /// Those who wake run when the system lets them, and so in any order: advance to one moment at a
  /// time where that matters.
  public func advance(by duration: Duration) {
    executor?.drain()
    let target = now.advanced(by: duration)
    while let sleeper = next(until: target) {
      sleeper.continuation.resume(returning: true)
      executor?.drain()
    }
    executor?.drain()
  }

  /// Takes out who wakes next; without anybody, the clock stands at the target.
  private func next(until target: Instant) -> Sleeper? {
    state.withLock { state in
      guard let deadline = state.sleepers.first?.deadline, deadline <= target else {
        // At once: who falls asleep after this look must see that the time has come.
        state.now = max(state.now, target)
        return nil
      }
      let sleeper = state.sleepers.removeFirst()
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
  }

  /// Waits until at least so many tasks are sleeping: only then can advancing the clock wake them.
  ///
  /// Returns early when its task is cancelled, as a test's is whose time is over.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if Task.isCancelled || state.sleepers.count >= count { return true }
          state.watchers.append((id, count, continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { state in
        state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
      }?.continuation.resume()
    }
  }
}
