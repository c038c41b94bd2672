import Synchronization

/// The deadline of one client call, including all of its requests and waits.
final class CallDeadline: TimerTarget {
  private struct State {
    var hasPassed = false
    /// The operation that the call awaits; weak, because a transfer retains its request and thereby
    /// this deadline.
    weak var awaited: (any Stoppable)?
    /// The call's own task; `nil` if it runs in the caller's task.
    var task: (any Stoppable)?
  }

  let timers: TimerTable
  /// The deadline by the timers' time; `nil` without a limit.
  private let deadline: Duration?
  private let state = Mutex(State())

  /// Creates a deadline that starts now.
  init(_ limits: Limits, _ timers: TimerTable) {
    self.timers = timers
    deadline = limits.total.map { timers.now + $0 }
  }

  /// The remaining time; `nil` without a limit.
  var timeLeft: Duration? { deadline.map { $0 - timers.now } }

  /// Whether the deadline has passed.
  var hasPassed: Bool { state.withLock { $0.hasPassed } }

  /// Sets the operation to stop when the deadline passes; stops it at once if the deadline has passed.
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

  /// Runs an operation off the caller's actor; when the deadline passes, the awaited operation is
  /// stopped.
  ///
  /// - Parameter inOwnTask: Whether the operation may await other operations that are not registered
  ///   with ``stops(_:)``. It then runs in its own task, which the deadline cancels, too; this costs a
  ///   tenth of a short request's CPU time.
  func run<Value: Sendable>(
    inOwnTask: Bool, _ operation: @escaping @Sendable () async -> Value
  ) async -> Value {
    let timer = deadline.map { timers.start(until: $0, self) }
    defer { if let timer { timers.stop(timer) } }
    guard inOwnTask else { return await operation() }
    let task = await StoppableTask.start(operation)
    let isLate = state.withLock { state in
      state.task = task
      return state.hasPassed
    }
    if isLate { task.stop() }
    // A task retains its request and thereby this deadline.
    defer { state.withLock { $0.task = nil } }
    return await task.value
  }
}
