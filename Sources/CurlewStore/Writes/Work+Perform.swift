public import Curlew
public import CurlewScreens

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
}
