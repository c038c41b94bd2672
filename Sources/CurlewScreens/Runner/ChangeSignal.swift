import Synchronization

/// A version counter that wakes the tasks waiting for the next version.
///
/// It stores no states and is not generic, to keep it small: waiting consumers account for most of an
/// idle screen's memory.
///
/// Consumers are resumed without holding a lock, to avoid a deadlock: a task that is being cancelled
/// holds its own lock, which resuming the task needs, while its cancellation handlers wait for the
/// signal's lock, or for a runner's lock.
package final class ChangeSignal: Sendable {
  package struct Consumer: Sendable {
    fileprivate let id: UInt64
    fileprivate let continuation: UnsafeContinuation<Void, Never>
  }

  /// The consumers that a change wakes, after the changed storage's lock has been released.
  package typealias Consumers = [Consumer]

  private struct State {
    /// The number of published versions; a consumer that has seen this version is up to date.
    var version: UInt64 = 1
    var hasEnded = false
    var lastID: UInt64 = 0
    var consumers: Consumers = []
  }

  private let state = Mutex(State())

  package init() {}

  package var version: UInt64 { state.withLock { $0.version } }

  /// Increments the version; returns the waiting consumers, which the caller resumes.
  package func publish() -> Consumers { takeConsumers { $0.version += 1 } }

  /// Ends the signal, like ``publish()``.
  package func end() -> Consumers { takeConsumers { $0.hasEnded = true } }

  private func takeConsumers(_ change: (inout State) -> Void) -> Consumers {
    state.withLock { state in
      change(&state)
      defer { state.consumers = [] }
      return state.consumers
    }
  }

  /// Waits for a version newer than the seen version; returns false when the signal has ended or the
  /// task is cancelled.
  package func arrive(
    after seen: UInt64, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    if version <= seen {
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      await withTaskCancellationHandler {
        // Otherwise, the closure would leave the caller's actor, and each state would hop twice.
        _ = isolation
        await withUnsafeContinuation { wait(id, $0, after: seen) }
      } onCancel: {
        stopWaiting(id)
      }
    }
    return !Task.isCancelled && version > seen
  }

  /// Waits for newer versions as long as a condition holds, until the signal has ended or the task is
  /// cancelled.
  func wait(while isPending: () -> Bool) async {
    while true {
      let seen = version
      guard isPending(), await arrive(after: seen) else { return }
    }
  }

  /// Stores a consumer's continuation; resumes it immediately if there is a newer version, the signal
  /// has ended or the task is cancelled.
  private func wait(
    _ id: UInt64, _ continuation: UnsafeContinuation<Void, Never>, after seen: UInt64
  ) {
    let goesOn = state.withLock { state in
      if state.version > seen || state.hasEnded || Task.isCancelled { return true }
      state.consumers.append(Consumer(id: id, continuation: continuation))
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

extension ChangeSignal.Consumers {
  /// Resumes the consumers; must be called without holding a lock.
  package func resume() {
    for consumer in self { consumer.continuation.resume() }
  }
}
