import Synchronization

/// The time limits of one request on the wire: until it is connected, until the first byte of its
/// response, and between two pieces of the body.
///
/// At most one of them runs at a time. When it passes, the transfer is stopped, and nothing else: the
/// call may send its request again.
final class TransferDeadline: TimerTarget {
  typealias Limit = Client.TimeoutFailure.Limit
  typealias IsPutOff = @Sendable () -> Bool

  private struct State {
    /// What is awaited, its timer, and what puts the limit off.
    var awaited: (limit: Limit, timer: TimerTable.Timer, isPutOff: IsPutOff?)?
    /// The limit that passed.
    var passed: Limit?
    /// Weak, because a transfer holds its request and so this.
    weak var transfer: (any Stoppable)?
  }

  private let limits: Limits
  private let timers: TimerTable
  private let state = Mutex(State())

  init(_ limits: Limits, _ timers: TimerTable) {
    self.limits = limits
    self.timers = timers
  }

  /// Sets what is stopped when a limit passes; stops it now if one has passed.
  func stops(_ transfer: any Stoppable) {
    let isLate = state.withLock { state in
      state.transfer = transfer
      return state.passed != nil
    }
    if isLate { transfer.stop() }
  }

  /// Starts the time limit of what is awaited next, in place of the one before.
  ///
  /// - Parameter isPutOff: Asked when the limit would pass; returns whether it starts anew instead.
  func awaits(_ limit: Limit, isPutOff: IsPutOff? = nil) {
    state.withLock { state in
      if let timer = state.awaited.take()?.timer { timers.stop(timer) }
      // A transfer that is stopped awaits nothing more.
      if state.passed == nil { start(limit, isPutOff: isPutOff, &state) }
    }
  }

  /// Ends the time limit of what was awaited; returns the one that passed, if one did.
  @discardableResult
  func end() -> Limit? {
    state.withLock { state in
      if let timer = state.awaited.take()?.timer { timers.stop(timer) }
      return state.passed
    }
  }

  /// Runs an operation that nothing else can stop in a task of its own, which is cancelled when a limit
  /// passes or the caller's task is cancelled.
  func runStoppably<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = await StoppableTask.start { () async -> Result<Value, any Error> in
      do { return .success(try await operation()) } catch { return .failure(error) }
    }
    stops(task)
    defer { withExtendedLifetime(task) {} }
    return try await task.value.get()
  }

  func timerFired(_ timer: TimerTable.Timer) {
    // Asked outside of the lock; what is awaited may be something else by then.
    let isPutOff = state.withLock { $0.awaited?.isPutOff }?() ?? false
    let transfer = state.withLock { state -> (any Stoppable)? in
      guard let awaited = state.awaited, awaited.timer == timer else { return nil }
      guard !isPutOff else {
        start(awaited.limit, isPutOff: awaited.isPutOff, &state)
        return nil
      }
      state.passed = awaited.limit
      state.awaited = nil
      return state.transfer
    }
    transfer?.stop()
  }

  /// Within the lock, so that a timer is known when it fires.
  private func start(_ limit: Limit, isPutOff: IsPutOff?, _ state: inout State) {
    state.awaited = limits.duration(of: limit).map { duration in
      (limit, timers.start(until: timers.clock.now + duration, self), isPutOff)
    }
  }
}

extension Limits {
  /// The value of a time limit; `nil` for no limit.
  func duration(of limit: Client.TimeoutFailure.Limit) -> Duration? {
    switch limit {
    case .connect: connect
    case .firstByte: firstByte
    case .idle: idle
    case .total: total
    }
  }
}
