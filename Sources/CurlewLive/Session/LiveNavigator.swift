import CurlewScreens
import Foundation
import Synchronization

/// Stores the addresses that a screen navigates to until they can be sent to a browser, and wakes its
/// session when there may be something to write.
final class LiveNavigator: Navigator {
  private let pending = Mutex<[String]>([])
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  private static let printable = CharacterSet(charactersIn: " "..."~")

  /// Sets the closure that ``wake()`` calls.
  func onWake(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  func wake() {
    let action = action.withLock { $0 }
    action?()
  }

  func go(to route: any Route) {
    // A line break would end the address, and begin another event.
    let address = route.address.addingPercentEncoding(withAllowedCharacters: Self.printable)
    pending.withLock { $0.append(address ?? "") }
    wake()
  }

  /// The addresses that have not been sent to a browser yet, in order.
  var addresses: [String] { pending.withLock { $0 } }

  /// Removes the first `count` addresses.
  func remove(first count: Int) {
    pending.withLock { $0.removeFirst(min(count, $0.count)) }
  }

  /// Returns the newest address and removes all of them; `nil` when there is none.
  func take() -> String? {
    let addresses = addresses
    remove(first: addresses.count)
    return addresses.last
  }
}
