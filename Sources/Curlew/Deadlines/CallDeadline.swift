import Synchronization

/// The time that one call of a client has, with all of its requests and waits.
final class CallDeadline: TimerTarget {
  private struct State {
    var hasPassed = false
    /// What the call awaits; weak, because a transfer holds its request and so this.
    weak var awaited: (any Stoppable)?
    /// All of the call, where it has a task of its own.
    var task: (any Stoppable)?
  }

  let timers: TimerTable
  /// When the call must be done, on the client's clock; `nil` without a limit.
  private let moment: Duration?
  private let state = Mutex(State())

  /// Starts the time of a call now.
  init(_ limits: Limits, _ timers: TimerTable) {
    self.timers = timers
    moment = limits.total.map { timers.clock.now + $0 }
  }

  /// How much time is left; `nil` without a limit.
  var timeLeft: Duration? { moment.map { $0 - timers.clock.now } }

  /// Whether the time is over.
  var hasPassed: Bool { state.withLock { $0.hasPassed } }

  /// Sets what is stopped when the time is over; stops it now if it is.
  func stops(_ awaited: any Stoppable) {
    let isLate = state.withLock { state in
      state.awaited = awaited
      return state.hasPassed
    }
    if isLate { awaited.stop() }
  }

  func timerFired(_ timer: TimerTable.Timer) {
    let stopped = state.withLock { state in
      state.hasPassed = true
      return [state.task, state.awaited]
    }
    for stoppable in stopped { stoppable?.stop() }
  }

  /// Runs an operation off the caller's actor; when the time is over, what it awaits is stopped.
  ///
  /// - Parameter inOwnTask: Whether it may await what is not named to ``stops(_:)``: then it gets a task
  ///   of its own, which is cancelled, too. That costs a tenth of a short request's CPU time.
  func run<Value: Sendable>(
    inOwnTask: Bool, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value {
    let timer = moment.map { timers.start(until: $0, self) }
    defer { if let timer { timers.stop(timer) } }
    guard inOwnTask else { return await operation() }
    let task = await StoppableTask.start(operation)
    let isLate = state.withLock { state in
      state.task = task
      return state.hasPassed
    }
    if isLate { task.stop() }
    // A task holds its request and so this.
    defer { state.withLock { $0.task = nil } }
    return await task.value
  }
}
