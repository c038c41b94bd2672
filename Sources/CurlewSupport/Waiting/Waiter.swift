import Synchronization

/// Lets one task wait for a value that another task provides.
package final class Waiter<Value: Sendable>: Sendable {
  // Unsafe, because a `CheckedContinuation` has no size that is known at compile time: each access to the
  // state would look up its type.
  private enum State {
    case idle
    case waiting(UnsafeContinuation<Value, any Error>)
    case finished(Result<Value, any Error>)
  }

  private let state = Mutex(State.idle)

  package init() {}

  /// Waits for the value; called at most once.
  ///
  /// - Throws: The error that ``resume(with:)`` was called with; `CancellationError` when the task is
  ///   cancelled.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if case .finished(let result) = state { return result }
          state = .waiting(continuation)
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      stop()
    }
  }

  /// Ends the wait with a `CancellationError`.
  package func stop() { resume(with: .failure(CancellationError())) }

  /// Ends the wait, even before it has begun; returns `false` if it had already ended.
  @discardableResult
  package func resume(with result: Result<Value, any Error>) -> Bool {
    guard let ended = end(with: result) else { return false }
    ended.resume()
    return true
  }

  /// A wait that has ended, and whose task still has to be resumed.
  package struct Ended: Sendable {
    fileprivate let continuation: UnsafeContinuation<Value, any Error>?
    fileprivate let result: Result<Value, any Error>

    /// Resumes the task that waited; must be called without a lock.
    ///
    /// A task that is cancelled at that moment holds a lock of its own, which resuming it needs, while
    /// its cancellation handlers may wait for any other lock.
    package func resume() { continuation?.resume(with: result) }
  }

  /// Ends the wait without resuming its task, which the caller does when it holds no lock; returns
  /// `nil` if the wait had already ended.
  func end(with result: Result<Value, any Error>) -> Ended? {
    state.withLock { state in
      switch state {
      case .finished: return nil
      case .idle:
        state = .finished(result)
        return Ended(continuation: nil, result: result)
      case .waiting(let continuation):
        state = .finished(result)
        return Ended(continuation: continuation, result: result)
      }
    }
  }
}

extension Waiter where Value == Void {
  /// Ends the wait without resuming its task; returns `nil` if the wait had already ended.
  package func end() -> Ended? { end(with: .success(())) }
}
