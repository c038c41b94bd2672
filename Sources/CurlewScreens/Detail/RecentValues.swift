import Synchronization

/// What lists showed last, for the detail screens that follow: shared by them, and bounded.
public final class RecentValues<ID: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct State {
    var values: [ID: (value: Value, turn: Int)] = [:]
    /// The names in the order in which they came; of one that came again, the last turn counts.
    var order: [(id: ID, turn: Int)] = []
    var turn = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates an empty memory for at most `limit` values; the oldest are forgotten first.
  public init(limit: Int = 1_000) {
    self.limit = max(1, limit)
  }

  /// What was shown under a name.
  public subscript(id: ID) -> Value? {
    get { state.withLock { $0.values[id]?.value } }
  }

  /// Remembers values.
  public func remember(_ values: some Sequence<Value>, by id: (Value) -> ID) {
    state.withLock { state in
      for value in values {
        let id = id(value)
        state.turn += 1
        state.values[id] = (value, state.turn)
        state.order.append((id, state.turn))
      }
      forgetSurplus(&state)
    }
  }

  private func forgetSurplus(_ state: inout State) {
    var old = 0
    while state.values.count > limit {
      let (id, turn) = state.order[old]
      if state.values[id]?.turn == turn { state.values[id] = nil }
      old += 1
    }
    state.order.removeFirst(old)
    // Old turns of the same few names must not pile up.
    if state.order.count > 2 * limit {
      state.order.removeAll { state.values[$0.id]?.turn != $0.turn }
    }
  }
}
