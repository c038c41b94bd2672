import CurlewScreens
import Synchronization

/// Keeps where a screen sends its user until a browser can be told.
final class LiveNavigator: Navigator {
  private struct State {
    var addresses: [String] = []
    var wake: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  func go(to route: any Route) {
    let wake = state.withLock { state in
      state.addresses.append(route.address)
      return state.wake
    }
    wake?()
  }

  /// Sets what is called when there is somewhere to go.
  func onGo(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
  }

  /// Where to go, once: the last place, as a browser shows one at a time.
  func take() -> String? {
    state.withLock { state in
      defer { state.addresses = [] }
      return state.addresses.last
    }
  }
}
