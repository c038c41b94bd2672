import CurlewSupport

/// An operation that a time limit can stop from outside the waiting task, which then throws an error.
package protocol Stoppable: AnyObject, Sendable {
  func stop()
}

/// An operation in its own task, which is cancelled when the operation is stopped or the waiting task
/// is cancelled.
package final class StoppableTask<Value: Sendable>: Stoppable {
  private let task: Task<Value, Never>

  private init(_ task: Task<Value, Never>) {
    self.task = task
  }

  package var value: Value {
    get async {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  package func stop() { task.cancel() }

  /// Starts an operation off the caller's actor.
  ///
  /// Without an actor to leave, it starts at once on the current thread: enqueueing it and waking
  /// another thread costs a fifth of a short request.
  package nonisolated(nonsending) static func start(
    _ operation: @escaping @Sendable () async -> Value
  ) async -> StoppableTask {
    let isolation = #isolation
    guard isolation == nil || WorkExecutor.current != nil else {
      return Self(Task { @concurrent in await operation() })
    }
    return Self(startHere(operation))
  }

  private static func startHere(
    _ operation: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      Task.immediate(executorPreference: WorkExecutor.current) { await operation() }
    } else {
      Task(executorPreference: WorkExecutor.current) { @concurrent in await operation() }
    }
  }
}
