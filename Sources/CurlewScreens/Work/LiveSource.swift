import Synchronization

/// A source whose values may change after they have been loaded, such as a store.
package struct LiveSource<Key: Sendable, Value: Equatable & Sendable>: Sendable {
  /// Returns the current value.
  let current: @Sendable (Key) -> Loadable<Value>
  /// Returns the newest value from the server, without pending edits.
  let received: @Sendable (Key) -> Value?
  /// Loads a value; calls `each` with values as they arrive, until it returns false.
  let load: @Sendable (Key, _ each: (Dated<Value>) -> Bool) async throws -> Dated<Value>?
  /// Calls a closure whenever the values of some keys may have changed, until it returns false; loads the first key's
  /// value if it is not fresh when a screen is resumed.
  let follow: Follow

  typealias Follow =
    @Sendable ([Key], _ isResumed: Bool, _ changed: () -> Bool) async -> Void

  package init(
    current: @escaping @Sendable (Key) -> Loadable<Value>,
    received: @escaping @Sendable (Key) -> Value?,
    load: @escaping @Sendable (Key, (Dated<Value>) -> Bool) async throws -> Dated<Value>?,
    follow: @escaping @Sendable ([Key], _ isResumed: Bool, _ changed: () -> Bool) async -> Void
  ) {
    (self.current, self.received, self.load, self.follow) = (current, received, load, follow)
  }
}

extension Work {
  /// Changes the state whenever a source reports a change, while the stream runs.
  mutating func follow(
    _ id: WorkID,
    calls source: @escaping @Sendable (_ isResumed: Bool, _ changed: () -> Bool) async -> Void,
    each: @escaping @Sendable (inout State, inout Work<State>) -> Void
  ) {
    let runs = Atomic<Int>(0)
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: false),
        run: { emit in
          let isResumed = runs.add(1, ordering: .relaxed).oldValue > 0
          await source(isResumed) { emit(each) }
          return Job.Outcome(change: { _, _ in })
        }))
  }
}
