import Synchronization

/// Calls functions in the order in which they were added, outside the lock under which that
/// happened.
final class DeliveryQueue: Sendable {
  private struct State {
    var functions: [@Sendable () -> Void] = []
    var isDelivering = false
  }

  private let state = Mutex(State())

  /// Whether all that was added has been called.
  var isEmpty: Bool { state.withLock { $0.functions.isEmpty && !$0.isDelivering } }

  func add(_ function: @escaping @Sendable () -> Void) {
    state.withLock { $0.functions.append(function) }
  }

  /// Calls what was added; returns whether there was something, and at once while another thread,
  /// or a caller further up, does it.
  func deliver() -> Bool {
    var hasDelivered = false
    while true {
      let functions = state.withLock { state in
        if state.isDelivering { return [@Sendable () -> Void]() }
        defer { state.functions = [] }
        state.isDelivering = !state.functions.isEmpty
        return state.functions
      }
      if functions.isEmpty { return hasDelivered }
      hasDelivered = true
      for function in functions { function() }
      state.withLock { $0.isDelivering = false }
    }
  }
}
