import Synchronization

/// A wait of one task for a value that another one brings.
package final class Waiter<Value: Sendable>: Stoppable {
  private enum State {
    case begun
    case waiting(CheckedContinuation<Value, any Error>)
    case over(Result<Value, any Error>)
  }

  private let state = Mutex(State.begun)

  package init() {}

  /// Waits for the value; to be called once.
  ///
  /// - Throws: What ``resume(with:)`` brought; `CancellationError` when the task is cancelled.
  package func value() async throws -> Value {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if case .over(let result) = state { return result }
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

  /// Ends the wait, also one that has not begun; returns whether it was not over yet.
  @discardableResult
  package func resume(with result: Result<Value, any Error>) -> Bool {
    let before = state.withLock { state in
      let before = state
      if case .over = before {} else { state = .over(result) }
      return before
    }
    switch before {
    case .begun: return true
    case .waiting(let continuation):
      continuation.resume(with: result)
      return true
    case .over: return false
    }
  }
}

extension Waiter where Value == Void {
  /// Ends the wait; returns whether it was not over yet.
  @discardableResult
  package func resume() -> Bool { resume(with: .success(())) }
}
