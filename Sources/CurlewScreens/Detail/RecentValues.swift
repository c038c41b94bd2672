import Synchronization

/// A bounded cache of the values that lists showed last, shared with the detail screens that open
/// from them.
public final class RecentValues<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [ID: (value: Value, turn: Int)] = [:]
    /// The ids in the order in which they were added; for a repeated id, only the last turn counts.
    var order: [(id: ID, turn: Int)] = []
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

  /// Adds values, replacing those with the same ids.
  public func remember(_ values: some Sequence<Value>, by id: (Value) -> ID) {
    state.withLock { state in
      for value in values {
        let id = id(value)
        state.turn += 1
        state.values[id] = (value, state.turn)
        state.order.append((id, state.turn))
      }
      removeOldest(&state)
    }
  }

  private func removeOldest(_ state: inout State) {
    var old = 0
    while state.values.count > limit {
      let (id, turn) = state.order[old]
      if state.values[id]?.turn == turn { state.values[id] = nil }
      old += 1
    }
    state.order.removeFirst(old)
    // Prevents stale turns of a few repeated ids from accumulating.
    if state.order.count > 2 * limit {
      state.order.removeAll { state.values[$0.id]?.turn != $0.turn }
    }
  }
}
