import Synchronization

/// A bounded cache of the values that lists showed last, shared with the detail screens that open
/// from them.
public final class RecentValues<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [ID: (value: Value, turn: Int)] = [:]
    var turn = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates an empty cache for at most `limit` values; the oldest are removed first.
  public init(limit: Int = 1_000) {
    self.limit = max(1, limit)
  }

  /// The last value with an id; `nil` when there is none.
  public subscript(id: ID) -> Value? {
    get { state.withLock { $0.values[id]?.value } }
  }

  /// Adds values, and replaces cached values with the same ids.
  public func remember(_ values: some Sequence<Value>, by id: (Value) -> ID) {
    state.withLock { state in
      for value in values {
        state.turn += 1
        state.values[id(value)] = (value, state.turn)
      }
      guard state.values.count > limit else { return }
      let oldest = state.values.values.map(\.turn).sorted()[state.values.count - limit]
      state.values = state.values.filter { $0.value.turn >= oldest }
    }
  }
}
