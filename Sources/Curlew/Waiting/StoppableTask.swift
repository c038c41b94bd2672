import CurlewSupport

/// An operation that a time limit can stop from outside the waiting task, such as a transfer of a transport.
public protocol Stoppable: AnyObject, Sendable {
  /// Stops the operation; the waiting task then throws any error. Called on any thread, even after the end.
  func stop()
}

/// A step on the way of a request through a client: a middleware, a transport or the storage of its cache.
public protocol CallStep: Sendable {
  /// Whether time limits can stop everything that the step awaits; by default `false`: it then runs in a task of its own,
  /// which the limits cancel, and so does each read of a chunk of the response's body.
  ///
  /// They can stop `next`, and what the step registers with ``OutgoingRequest/stopOnTimeout(_:)``. Such a transport starts the
  /// limits itself, with ``OutgoingRequest/startLimit(_:)``. A step without a task of its own costs less.
  var isStoppable: Bool { get }
}

extension CallStep {
  /// `false`.
  public var isStoppable: Bool { false }
}

extension Waiter: Stoppable {}

/// An operation in its own task, which is cancelled when the operation is stopped or the waiting task
/// is cancelled.
final class StoppableTask<Value: Sendable>: Stoppable {
  private let task: Task<Value, Never>

  private init(_ task: Task<Value, Never>) {
    self.task = task
  }

  var value: Value {
    get async {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  func stop() { task.cancel() }

  /// Starts an operation off the caller's actor.
  ///
  /// Without an actor to leave, it starts at once on the current thread: enqueueing it and waking
  /// another thread costs a fifth of a short request.
  nonisolated(nonsending) static func start(
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
