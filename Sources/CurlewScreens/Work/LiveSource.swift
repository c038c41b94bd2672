/// A source whose values change by themselves after they have been loaded, such as a store.
package struct LiveSource<Key: Sendable, Value: Equatable & Sendable>: Sendable {
  /// Returns what is known of a value now.
  let current: @Sendable (Key) -> Loadable<Value>
  /// Loads a value; passes values on before the last one, until `each` returns false.
  let load: @Sendable (Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>?
  /// Calls a closure whenever what is known of some values may have changed, until it returns false.
  let follow: @Sendable ([Key], _ changed: @escaping @Sendable () -> Bool) async -> Void

  package init(
    current: @escaping @Sendable (Key) -> Loadable<Value>,
    load: @escaping @Sendable (Key, (Dated<Value>) -> Bool) async throws -> Dated<Value>?,
    follow: @escaping @Sendable ([Key], @escaping @Sendable () -> Bool) async -> Void
  ) {
    (self.current, self.load, self.follow) = (current, load, follow)
  }
}

extension Work {
  /// Changes the state whenever a source calls, for as long as the stream runs.
  mutating func follow(
    _ id: WorkID,
    calls source: @escaping @Sendable (_ changed: @escaping @Sendable () -> Bool) async -> Void,
    each: @escaping @Sendable (inout State) -> Void
  ) {
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false),
        run: { emit in
          await source { emit { state, _ in each(&state) } }
          return Job.Outcome(change: { _, _ in })
        }))
  }
}
