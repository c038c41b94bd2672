import Synchronization

/// Lets one task wait for a value that another task provides.
package final class Waiter<Value: Sendable>: Stoppable {
  private enum State {
    case idle
    case waiting(CheckedContinuation<Value, any Error>)
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
      try await withCheckedThrowingContinuation { continuation in
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
    let before = state.withLock { state in
      let before = state
      if case .finished = before {} else { state = .finished(result) }
      return before
    }
    switch before {
    case .idle: return true
    case .waiting(let continuation):
      continuation.resume(with: result)
      return true
    case .finished: return false
    }
  }
}

extension Waiter where Value == Void {
  /// Ends the wait; returns `false` if it had already ended.
  @discardableResult
  package func resume() -> Bool { resume(with: .success(())) }
}
