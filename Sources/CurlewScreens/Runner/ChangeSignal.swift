import Synchronization

/// A version counter that wakes the tasks waiting for the next version.
///
/// It stores no states and is not generic, to keep it small: a waiting consumer is most of the
/// memory that an idle screen uses.
///
/// Consumers are resumed without any lock: a task that is cancelled at that moment holds a lock of
/// its own, which resuming it needs, while its cancellation handlers wait for the lock here, or for
/// that of a runner.
final class ChangeSignal: Sendable {
  fileprivate typealias Consumer = (id: UInt64, continuation: UnsafeContinuation<Void, Never>)

  /// Consumers that a change wakes, after the lock of the storage that has changed.
  struct Woken: Sendable {
    fileprivate var consumers: [Consumer] = []

    static var nobody: Woken { Woken() }

    mutating func add(_ other: Woken) { consumers += other.consumers }

    /// Resumes the consumers; must be called without a lock.
    func resume() {
      for consumer in consumers { consumer.continuation.resume() }
    }
  }

  private struct State {
    /// The number of versions published; a consumer that has seen this one is up to date.
    var version: UInt64 = 1
    /// Whether no more versions will follow.
    var hasEnded = false
    var lastID: UInt64 = 0
    var consumers: [Consumer] = []

    /// Removes and returns all waiting consumers.
    mutating func takeConsumers() -> [Consumer] {
      defer { consumers = [] }
      return consumers
    }
  }

  private let state = Mutex(State())

  /// The current version.
  var version: UInt64 { state.withLock { $0.version } }

  /// Increments the version; returns all waiting consumers, which the caller resumes.
  func publish() -> Woken {
    state.withLock { state in
      state.version += 1
      return Woken(consumers: state.takeConsumers())
    }
  }

  /// Ends the signal: no more versions follow; returns all waiting consumers, which the caller
  /// resumes.
  func end() -> Woken {
    state.withLock { state in
      state.hasEnded = true
      return Woken(consumers: state.takeConsumers())
    }
  }

  /// Waits for a version newer than the one seen; returns false when the signal has ended or the
  /// task is cancelled.
  func arrive(after seen: UInt64) async -> Bool {
    while !Task.isCancelled {
      let (isNewer, hasEnded) = state.withLock { ($0.version > seen, $0.hasEnded) }
      if isNewer { return true }
      if hasEnded { return false }
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      await withTaskCancellationHandler {
        await withUnsafeContinuation { wait(id, $0, after: seen) }
      } onCancel: {
        stopWaiting(id)
      }
    }
    return false
  }

  /// Stores a consumer's continuation; resumes it at once if there is a newer version, the signal
  /// has ended or the task is cancelled.
  private func wait(
    _ id: UInt64, _ continuation: UnsafeContinuation<Void, Never>, after seen: UInt64
  ) {
    let goesOn = state.withLock { state in
      if state.version > seen || state.hasEnded || Task.isCancelled { return true }
      state.consumers.append((id, continuation))
      return false
    }
    if goesOn { continuation.resume() }
  }

  private func stopWaiting(_ id: UInt64) {
    let consumer = state.withLock { state in
      state.consumers.firstIndex { $0.id == id }.map { state.consumers.remove(at: $0) }
    }
    consumer?.continuation.resume()
  }
}
