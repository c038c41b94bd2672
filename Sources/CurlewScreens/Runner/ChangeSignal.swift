import Synchronization

/// A version counter that wakes the tasks waiting for the next version.
///
/// It stores no states and is not generic, to keep it small: a waiting consumer is most of the
/// memory that an idle screen uses.
final class ChangeSignal: Sendable {
  private struct State {
    /// The number of versions published; a consumer that has seen this one is up to date.
    var version: UInt64 = 1
    /// Whether no more versions will follow.
    var hasEnded = false
    var lastID: UInt64 = 0
    var consumers: [(id: UInt64, continuation: UnsafeContinuation<Void, Never>)] = []

    mutating func wakeConsumers() {
      for consumer in consumers { consumer.continuation.resume() }
      consumers = []
    }
  }

  private let state = Mutex(State())

  /// The current version.
  var version: UInt64 { state.withLock { $0.version } }

  /// Increments the version and wakes all waiting consumers.
  func publish() {
    state.withLock { state in
      state.version += 1
      state.wakeConsumers()
    }
  }

  /// Ends the signal: no more versions follow, and all waiting consumers are woken.
  func end() {
    state.withLock { state in
      guard !state.hasEnded else { return }
      state.hasEnded = true
      state.wakeConsumers()
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
    state.withLock { state in
      if state.version > seen || state.hasEnded || Task.isCancelled {
        continuation.resume()
      } else {
        state.consumers.append((id, continuation))
      }
    }
  }

  private func stopWaiting(_ id: UInt64) {
    state.withLock { state in
      guard let index = state.consumers.firstIndex(where: { $0.id == id }) else { return }
      state.consumers.remove(at: index).continuation.resume()
    }
  }
}
