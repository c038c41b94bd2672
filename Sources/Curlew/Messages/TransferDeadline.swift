import Synchronization

/// The time limits of one request on the wire: until it is connected, until the first byte of its
/// response, and between two chunks of the body.
///
/// At most one limit runs at a time. When it passes, only the transfer is stopped; the call may retry
/// its request.
final class TransferDeadline: TimerTarget {
  typealias Limit = Client.TimeoutFailure.Limit
  typealias IsSuspended = @Sendable () -> Bool
  typealias Start = LimitStart
  /// The limit that passed, and whether the request's body was being sent then.
  typealias Passed = (limit: Limit, isSending: Bool)

  private struct State {
    /// The running limit, its timer, and a check that may restart the limit.
    var running: (limit: Limit, timer: TimerTable.Timer, start: Start, isSuspended: IsSuspended?)?
    /// Whether the request's body is being sent.
    var isSending = false
    var passed: Passed?
    /// Weak, because a transfer retains its request and thereby this deadline.
    weak var transfer: (any Stoppable)?
  }

  private let limits: Limits
  private let timers: TimerTable
  /// The observation of the attempt; `nil` without observers.
  let attempt: AttemptObservation?
  private let state = Mutex(State())

  init(
    _ limits: Limits, _ timers: TimerTable, _ attempt: AttemptObservation? = nil
  ) {
    self.limits = limits
    self.timers = timers
    self.attempt = attempt
  }

  /// Sets the transfer to stop when a limit passes; stops it at once if a limit has passed.
  func stopOnTimeout(_ transfer: any Stoppable) {
    let isLate = state.withLock { state in
      state.transfer = transfer
      return state.passed != nil
    }
    if isLate { transfer.stop() }
  }

  /// Starts a time limit in place of the running limit.
  ///
  /// - Parameter isSuspended: Called when the limit would pass; returns whether to restart it instead.
  func startLimit(_ limit: Limit, _ start: Start = .whole, isSuspended: IsSuspended? = nil) {
    state.withLock { state in
      if let timer = state.running?.timer { timers.stop(timer) }
      // A stopped transfer awaits nothing more.
      if state.passed == nil { self.start(limit, start, isSuspended: isSuspended, &state) }
    }
    attempt?.transferAwaits(limit)
  }

  /// Records whether the request's body is being sent.
  func setSending(_ isSending: Bool) { state.withLock { $0.isSending = isSending } }

  /// Stops the running time limit; returns the limit that passed, or `nil` if none passed.
  @discardableResult
  func end() -> Passed? {
    state.withLock { state in
      if let timer = state.running.take()?.timer { timers.stop(timer) }
      return state.passed
    }
  }

  func timerFired(_ timer: TimerTable.Timer) {
    // Called outside the lock; another limit may run when it returns.
    let check = state.withLock { $0.running?.timer == timer ? $0.running?.isSuspended : nil }
    let isSuspended = check?() ?? false
    let transfer = state.withLock { state -> (any Stoppable)? in
      guard let running = state.running, running.timer == timer else { return nil }
      guard !isSuspended, running.start != .halves else {
        let next: Start =
          !isSuspended ? .secondHalf : running.start == .whole ? .whole : .halves
        start(running.limit, next, isSuspended: running.isSuspended, &state)
        return nil
      }
      state.passed = (running.limit, state.isSending)
      state.running = nil
      return state.transfer
    }
    transfer?.stop()
  }

  /// Starts a limit within the lock, so that its timer is stored before it fires.
  private func start(
    _ limit: Limit, _ start: Start, isSuspended: IsSuspended?, _ state: inout State
  ) {
    let former = state.running
    state.running = limits.duration(of: limit).map { duration in
      let timer: TimerTable.Timer
      switch start {
      case .whole: timer = timers.start(after: duration, self)
      case .halves: timer = timers.start(after: duration / 2, self)
      case .secondHalf:
        let end = former.map { $0.timer.deadline + ($0.start == .halves ? duration / 2 : .zero) }
        timer =
          end.map { timers.start(until: $0, self) } ?? timers.start(after: duration / 2, self)
      }
      return (limit, timer, start, isSuspended)
    }
  }
}

/// The way in which a time limit starts.
package enum LimitStart: Sendable {
  case whole
  /// The check for a suspension is called after half of the limit, too; the limit then goes on in any case.
  case halves
  /// The second half of a limit that has started with ``halves``, with its deadline.
  case secondHalf
}

extension Limits {
  /// Returns the value of a time limit; `nil` for no limit.
  func duration(of limit: Client.TimeoutFailure.Limit) -> Duration? {
    switch limit {
    case .connect: connect
    case .firstByte: firstByte
    case .idle: idle
    case .total: total
    }
  }
}
