import CurlewScreens
import Synchronization

/// Stores the addresses that a screen navigates to until they can be sent to a browser.
final class LiveNavigator: Navigator {
  private struct State {
    var addresses: [String] = []
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func go(to route: any Route) {
    state.withLock { $0.addresses.append(route.address) }
    wake()
  }

  /// Says that there may be something to write.
  func wake() {
    let wake = state.withLock { $0.wake }
    wake?()
  }

  /// Sets the closure that is called after each navigation, and by ``wake()``.
  func onWake(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  /// The addresses that no browser has been sent to yet, in order.
  var addresses: [String] { state.withLock { $0.addresses } }

  /// Removes the first of them.
  func remove(first count: Int) {
    state.withLock { $0.addresses.removeFirst(min(count, $0.addresses.count)) }
  }

  /// Returns the newest address and removes all of them; `nil` when there is none.
  func take() -> String? {
    let addresses = addresses
    remove(first: addresses.count)
    return addresses.last
  }
}
