import Synchronization

/// A source whose values change by themselves after they have been loaded, such as a store.
package struct LiveSource<Key: Sendable, Value: Equatable & Sendable>: Sendable {
  /// Returns what is known of a value now.
  let current: @Sendable (Key) -> Loadable<Value>
  /// Loads a value; passes values on before the last one, until `each` returns false.
  let load: @Sendable (Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>?
  /// Calls a closure whenever what is known of some values may have changed, until it returns false; loads the first of
  /// them if it is not fresh when a screen is resumed.
  let follow: Follow

  typealias Follow =
    @Sendable ([Key], _ isResumed: Bool, _ changed: () -> Bool) async -> Void

  package init(
    current: @escaping @Sendable (Key) -> Loadable<Value>,
    load: @escaping @Sendable (Key, (Dated<Value>) -> Bool) async throws -> Dated<Value>?,
    follow: @escaping @Sendable ([Key], _ isResumed: Bool, _ changed: () -> Bool) async -> Void
  ) {
    (self.current, self.load, self.follow) = (current, load, follow)
  }
}

extension Work {
  /// Changes the state whenever a source calls, for as long as the stream runs.
  mutating func follow(
    _ id: WorkID,
    calls source: @escaping @Sendable (_ isResumed: Bool, _ changed: () -> Bool) async -> Void,
    each: @escaping @Sendable (inout State) -> Void
  ) {
    let runs = Atomic<Int>(0)
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false),
        run: { emit in
          let isResumed = runs.add(1, ordering: .relaxed).oldValue > 0
          await source(isResumed) { emit { state, _ in each(&state) } }
          return Job.Outcome(change: { _, _ in })
        }))
  }
}
