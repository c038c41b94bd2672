import Synchronization

/// Calls functions in the order in which they were added, after the lock under which they were
/// added has been released.
final class DeliveryQueue: Sendable {
  private struct State {
    var functions: [@Sendable () -> Void] = []
    var isDelivering = false
  }

  private let state = Mutex(State())

  /// Whether all added functions have been called.
  var isEmpty: Bool { state.withLock { $0.functions.isEmpty && !$0.isDelivering } }

  func add(_ function: @escaping @Sendable () -> Void) {
    state.withLock { $0.functions.append(function) }
  }

  /// Calls the added functions; returns whether it called any.
  ///
  /// Returns immediately while another thread, or a caller on the same stack, is delivering; that
  /// one also calls the functions added meanwhile.
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
