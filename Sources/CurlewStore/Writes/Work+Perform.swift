public import Curlew
public import CurlewScreens
import CurlewSupport

extension Work {
  /// Keeps a property of the state equal to the shown value of a store's entry, immediately and after each change, by a
  /// stream as of ``follow(_:continuesWhileSuspended:reconnecting:_:each:ended:)`` of ``Store/values(of:)``.
  public mutating func follow<Value>(
    _ id: WorkID, _ entry: StoreEntry<Value>, in store: Store,
    _ property: any WritableKeyPath<State, Loadable<Value>> & Sendable
  ) {
    follow(id, property, startingWith: { store.value(of: entry) }) { emit in
      for await value in store.values(of: entry) { guard emit(value) else { return } }
    }
  }

  /// Starts a write that edits a store's data: ``Store/perform(_:queue:edit:)`` for a screen.
  ///
  /// ```swift
  /// work.perform(GitHub.star(name, isOn), in: store, queue: "star \(name)") { edit in
  ///   edit.update(Repository.self, name) { $0.isStarred = isOn }
  /// } finished: { state, result, _ in
  ///   switch result {
  ///   case .success, .failure(Client.Error.cancelled): break  // cancelled by a sign-out
  ///   case .failure(let error): state.problem = LoadFailure(error)
  ///   }
  /// }
  /// ```
  ///
  /// In all other respects it is a write like ``write(_:begin:_:started:finished:)``. All screens of the store share the
  /// queue.
  public mutating func perform<E: Endpoint>(
    _ endpoint: E, in store: Store, queue: String,
    edit: (inout StoreEdit<E.Response>) -> Void = { _ in },
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<E.Response, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) {
    let write = store.write(endpoint, queue: queue, edit: edit)
    self.write(
      WorkID(stringLiteral: queue), begin: { write.begin() }, { try await write.finish() },
      started: started, finished: finished)
  }

  /// Performs an action, also after a restart: ``Store/perform(_:after:replacing:)`` for a screen.
  ///
  /// ```swift
  /// work.perform(StarRepository(id: id, isOn: isOn), in: store)
  /// ```
  ///
  /// The edits are visible when the screen's function has returned. The outcome is in ``Store/outbox``, because it may come
  /// after the screen.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - store: The store.
  ///   - earlier: An action that must be performed before: see ``Store/perform(_:after:replacing:)``.
  ///   - former: An action to replace.
  ///   - finished: A closure that changes the state when the action is stored, or could not be (``OutboxError``), and may
  ///     start more work.
  public mutating func perform<A: StoreAction>(
    _ action: A, in store: Store, after earlier: OutboxItem.ID? = nil,
    replacing former: OutboxItem.ID? = nil,
    finished:
      @escaping @Sendable (
        inout State, Result<OutboxItem.ID, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) {
    let stored = Waiter<OutboxItem.ID>()
    write(
      WorkID(stringLiteral: action.queue),
      begin: {
        stored.resume(with: Result { try store.add(action, after: earlier, replacing: former) })
      },
      {
        store.startSending()
        return try await stored.value()
      }, finished: finished)
  }
}
