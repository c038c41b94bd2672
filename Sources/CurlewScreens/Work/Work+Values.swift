extension Work {
  /// Starts a load that may deliver several values, such as the stored value and then the current
  /// value; in all other respects it is a load like any other (latest-wins, debounce, suspension).
  ///
  /// ```swift
  /// work.latest("prices", values: { client.values(of: Prices.all) }) {
  ///   $0.prices.startLoading()
  /// } each: { state, value, _ in
  ///   state.prices.update(with: value)
  /// } finished: { state, result, _ in
  ///   state.prices.finishLoading(withLast: result)
  /// }
  /// ```
  ///
  /// `each` changes the state with a value, and may start more work; the next value is requested after the change has been
  /// applied. `finished` gets the last value, or the failure. `values` begins on the runner's executor, and is called again
  /// when a suspended load restarts. The other parameters are those of
  /// ``latest(_:after:if:while:_:started:cancelled:finished:)``.
  public mutating func latest<Values: AsyncSequence & SendableMetatype>(
    _ id: WorkID,
    after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    while isAwaited: (@Sendable (State) -> Bool)? = nil,
    values: @escaping @Sendable () async throws -> Values,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    cancelled: @escaping @Sendable (inout State) -> Void = { _ in },
    each: @escaping @Sendable (inout State, Values.Element, inout Work<State>) -> Void,
    finished:
      @escaping @Sendable (
        inout State, Result<Values.Element?, any Error>, inout Work<State>
      ) -> Void
  ) where Values.Element: Sendable, Values.AsyncIterator: SendableMetatype {
    latest(
      id, after: delay, if: condition, while: isAwaited,
      delivering: { try await values().deliver(to: $0) },
      started: started, cancelled: cancelled, each: each, finished: finished)
  }

  /// Starts a load whose operation delivers values before it returns its result.
  ///
  /// Swift 6.3 treats a closure with a capture list as `@concurrent`, but `operation` is not.
  ///
  /// - Parameters:
  ///   - ticket: The identity that ends with the load.
  ///   - reloads: Whether the operation's requests don't use a cache.
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
                emit { state, work in each(&state, value, &work) }
              }
            }, finished)
        }))
  }
}
