/// The time that one call of a client has, with all of its requests and waits.
struct CallDeadline: Sendable {
  let timers: TimerTable
  /// When the call must be done, on the client's timeline; `nil` without a limit.
  let moment: Duration?

  /// Starts the time of a call now.
  init(_ limits: Limits, _ timers: TimerTable) {
    self.timers = timers
    moment = limits.total.map { timers.timeline.now + $0 }
  }

  /// How much time is left; `nil` without a limit.
  var timeLeft: Duration? { moment.map { $0 - timers.timeline.now } }

  /// Whether the time is over.
  var hasPassed: Bool { timeLeft.map { $0 <= .zero } ?? false }

  /// Runs an operation in a task of its own, off the caller's actor; the task is cancelled when the
  /// caller's is, or when the time is over.
  func run<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Value
  ) async -> Value {
    let task = await OwnTask.start(operation)
    let timer = moment.map { timers.start(until: $0, OwnTask(cancel: task.cancel)) }
    defer { if let timer { timers.stop(timer) } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

/// A task that is cancelled when a timer fires, or a transfer's time limit passes.
final class OwnTask: TimerTarget, StoppableTransfer {
  private let cancel: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void) {
    self.cancel = cancel
  }

  func timerFired(_ timer: TimerTable.Timer) { cancel() }
  func stop() { cancel() }

  /// Starts a task off the caller's actor: at once where there is none to leave, because the way
  /// through the queue and the wake-up of a thread cost a fifth of a short request.
  nonisolated(nonsending) static func start<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Value
  ) async -> Task<Value, Never> {
    let isolation = #isolation
    guard isolation == nil else { return Task { @concurrent in await operation() } }
    return startHere(operation)
  }

  private static func startHere<Value: Sendable>(
    _ operation: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate { await operation() }
    } else {
      Task { @concurrent in await operation() }
    }
  }
}
