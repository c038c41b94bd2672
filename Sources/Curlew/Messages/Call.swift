import Synchronization

/// One call of a client: what all of its requests and waits share, and its deadline.
final class Call: TimerTarget {
  private struct State {
    var hasPassed = false
    /// The operation that the call awaits; weak, because a transfer retains its request and thereby
    /// this deadline.
    weak var operation: (any Stoppable)?
    /// The running tasks of code that is stopped only by cancelling it.
    var tasks: [any Stoppable] = []
  }

  let timers: TimerTable
  /// The observation; `nil` without observers.
  let observation: CallObservation?
  /// The number of purges of the cache when the call began; `nil` without a cache.
  let purges: Int?
  let networkMonitor: (any NetworkMonitor)?
  /// The number of sign-outs in the process when the call began: it is not sent as the next user.
  let signOuts: Int
  static let signOuts = Atomic(0)
  /// The deadline by the timers' time; `nil` without a limit.
  private let deadline: Duration?
  private let state = Mutex(State())

  /// Creates a call that starts now.
  init(
    _ limits: Limits, _ timers: TimerTable, observation: CallObservation? = nil, purges: Int? = nil,
    networkMonitor: (any NetworkMonitor)? = nil, signOuts: Int? = nil
  ) {
    (self.timers, self.observation, self.purges) = (timers, observation, purges)
    self.networkMonitor = networkMonitor
    self.signOuts = signOuts ?? Self.signOuts.load(ordering: .sequentiallyConsistent)
    deadline = limits.total.map { timers.now + $0 }
  }

  /// The remaining time; `nil` without a limit.
  var timeLeft: Duration? { deadline.map { $0 - timers.now } }

  /// Whether the deadline has passed.
  var hasPassed: Bool { state.withLock { $0.hasPassed } }

  /// Sets the operation to stop when the deadline passes; stops it at once if the deadline has passed.
  func stopOnTimeout(_ operation: any Stoppable) {
    let hasPassed = state.withLock { state in
      state.operation = operation
      return state.hasPassed
    }
    if hasPassed { operation.stop() }
  }

  func timerFired(_ timer: TimerTable.Timer) {
    let stopped = state.withLock { state in
      state.hasPassed = true
      return state.tasks + [state.operation].compactMap(\.self)
    }
    for stoppable in stopped { stoppable.stop() }
  }

  /// Starts the timer; `nil` without a limit.
  func start() -> TimerTable.Timer? { deadline.map { timers.start(until: $0, self) } }

  func end(_ timer: TimerTable.Timer?) {
    if let timer { timers.stop(timer) }
  }

  /// Adds a task of code that doesn't register what it awaits with ``stopOnTimeout(_:)``; cancels it at once if the deadline has
  /// passed.
  func add(_ task: any Stoppable) {
    let hasPassed = state.withLock { state in
      state.tasks.append(task)
      return state.hasPassed
    }
    if hasPassed { task.stop() }
  }

  func remove(_ task: any Stoppable) {
    state.withLock { $0.tasks.removeAll { $0 === task } }
  }
}
