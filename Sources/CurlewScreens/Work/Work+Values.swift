extension Work {
  /// Loads a property of the state from a source; in all other respects it is a load like
  /// ``latest(_:after:if:while:_:started:cancelled:finished:)``.
  ///
  /// ```swift
  /// work.latest("price", store.source { Prices.entry($0) }, for: id, \.price)
  /// ```
  ///
  /// The stored value is shown while the current value is loading. Later changes of a store's values are not shown: follow
  /// them.
  ///
  /// - Parameters:
  ///   - id: The name of the load.
  ///   - delay: How long to wait before the load starts.
  ///   - condition: A closure evaluated after the delay; the load is dropped if it returns false.
  ///   - isAwaited: A closure that returns whether the state still awaits the value; when it returns false, the load is
  ///     cancelled.
  ///   - source: The source.
  ///   - key: The key of the value.
  ///   - property: The property.
  ///   - each: A closure that is called after each value, and when the load has finished, and may start more work.
  public mutating func latest<Key, Value>(
    _ id: WorkID, after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    while isAwaited: (@Sendable (State) -> Bool)? = nil,
    _ source: Source<Key, Value>, for key: Key,
    _ property: any WritableKeyPath<State, Loadable<Value>> & Sendable,
    each: @escaping @Sendable (inout State, inout Work<State>) -> Void = { _, _ in }
  ) {
    latest(id, after: delay, if: condition, while: isAwaited) {
      try await source.load(key, $0)
    } started: { state in
      state[keyPath: property].startLoading()
    } cancelled: { state in
      state[keyPath: property].cancelLoading()
    } each: { state, value, work in
      state[keyPath: property].update(with: value)
      each(&state, &work)
    } finished: { state, result, work in
      state[keyPath: property].finishLoading(withLast: result)
      each(&state, &work)
    }
  }

  /// Starts a load whose operation delivers values before it returns its result.
  ///
  /// Swift 6.3 treats a closure with a capture list as `@concurrent`, but `operation` is not.
  mutating func latest<Element: Sendable, Value: Sendable>(
    _ id: WorkID,
    ticket: LoadTicket? = nil,
    reloads: Bool = false,
    after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    while isAwaited: (@Sendable (State) -> Bool)? = nil,
    delivering operation: @escaping @Sendable (_ each: (Element) -> Bool) async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    cancelled: @escaping @Sendable (inout State) -> Void = { _ in },
    each: @escaping @Sendable (inout State, Element, inout Work<State>) -> Void,
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void
  ) {
    start(
      Job(
        id: id, kind: .load, ticket: ticket, reloads: reloads, delay: delay, condition: condition,
        started: { state, _ in started(&state) }, while: isAwaited, cancelled: cancelled,
        run: { emit in
          await Job.Outcome(
            of: {
              try await operation { value in
                emit(value) { state, work in each(&state, value, &work) }
              }
            }, finished)
        }))
  }
}
