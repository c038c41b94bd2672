import Synchronization

extension Work {
  /// Keeps a property of the state equal to a shared value, immediately and after each change.
  ///
  /// The stream behaves like a stream of ``follow(_:continuesWhileSuspended:reconnecting:_:each:ended:)``.
  public mutating func follow<Value>(
    _ id: WorkID, _ shared: Shared<Value>, _ property: any WritableKeyPath<State, Value> & Sendable
  ) {
    // Not the sequence's value, which may be older than an edit that the screen has made since.
    let read: Job<State>.Change = { state, _ in state[keyPath: property] = shared.shown }
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false), source: ObjectIdentifier(shared),
        started: read,
        run: { emit in
          for await _ in shared.values { guard emit(nil, read) else { break } }
          return Job.Outcome(change: { _, _ in })
        }))
  }

  /// Keeps a property of the state equal to an initial value, if any, and then to the values that a source emits.
  package mutating func follow<Value: Sendable>(
    _ id: WorkID, _ property: any WritableKeyPath<State, Value> & Sendable,
    startingWith first: @escaping @Sendable () -> Value?,
    _ source: @escaping @Sendable (_ emit: (Value) -> Bool) async -> Void
  ) {
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false),
        started: { state, _ in if let first = first() { state[keyPath: property] = first } },
        run: { emit in
          await source { value in emit(value) { state, _ in state[keyPath: property] = value } }
          return Job.Outcome(change: { _, _ in })
        }))
  }

  /// Starts a write that edits a shared value: the edit is visible immediately, wherever the value is shown, and stays
  /// if the operation succeeds; if it throws, only this edit is removed.
  ///
  /// In this screen's state, the edit is visible when ``Runner/send(_:)`` returns, if the state follows the value
  /// (``follow(_:_:_:)``).
  ///
  /// In all other respects it is a write like ``write(_:begin:_:started:finished:)``. The edit is settled even if the screen,
  /// its part or its runner has been removed.
  ///
  /// - Parameters:
  ///   - queue: The name of the queue.
  ///   - shared: The value.
  ///   - edit: The edit, which must use only its argument and captured values.
  ///   - operation: The operation to run.
  ///   - settled: A closure that changes the value instead of the edit when the operation returns, for example with the
  ///     server's response.
  ///   - failed: A closure that changes the value instead of the edit when the operation throws, for example to mark an
  ///     item that the user can send again; by default, the edit is removed.
  ///   - started: A closure that changes the state, after the screen's function has returned.
  ///   - finished: A closure that changes the state with the result, and may start more work.
  public mutating func write<Shown, Value: Sendable>(
    _ queue: WorkID, editing shared: Shared<Shown>,
    _ edit: @escaping @Sendable (inout Shown) -> Void,
    operation: @escaping @Sendable () async throws -> Value,
    settled: (@Sendable (inout Shown, Value) -> Void)? = nil,
    failed: (@Sendable (inout Shown, any Error) -> Void)? = nil,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) {
    let (number, source) = (shared.newEdit(), ObjectIdentifier(shared))
    start(
      Job(
        id: queue, kind: .write,
        started: { state, work in
          work.commands += [.call(shared.begin(number, edit)), .read(source)]
          started(&state)
        },
        run: { _ in
          // A part that was removed by the event has not begun the edit.
          await Job.Outcome {
            try await shared.edit(number, edit, settled, failed, operation)
          } _: { state, result, work in
            work.commands.append(.read(source))
            finished(&state, result, &work)
          }
        }))
  }
}

/// A closure that is called once; a concurrent caller waits until it has returned.
final class Once: Sendable {
  private let closure: Mutex<(@Sendable () -> Void)?>

  init(_ closure: @escaping @Sendable () -> Void) { self.closure = Mutex(closure) }

  func call() { closure.withLock { $0.take()?() } }
}
