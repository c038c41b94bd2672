import Synchronization

/// Passes things on in the order in which they were added, outside the lock under which that
/// happened.
final class DeliveryQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element] = []
    var isDelivering = false
  }

  private let receive: @Sendable (Element) -> Void
  private let state = Mutex(State())

  init(_ receive: @escaping @Sendable (Element) -> Void) {
    self.receive = receive
  }

  /// Whether all that was added has been received.
  var isEmpty: Bool { state.withLock { $0.elements.isEmpty && !$0.isDelivering } }

  func add(_ elements: [Element]) {
    guard !elements.isEmpty else { return }
    state.withLock { $0.elements += elements }
  }

  /// Passes on what was added; returns at once while another thread, or a caller further up, does
  /// it.
  func deliver() {
    while true {
      let elements = state.withLock { state in
        if state.isDelivering { return [Element]() }
        defer { state.elements = [] }
        state.isDelivering = !state.elements.isEmpty
        return state.elements
      }
      if elements.isEmpty { return }
      for element in elements { receive(element) }
      state.withLock { $0.isDelivering = false }
    }
  }
}
