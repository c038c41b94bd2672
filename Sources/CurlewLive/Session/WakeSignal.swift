import Synchronization

/// Tells a session that there may be something to write, from the runner and the navigator that it makes.
final class WakeSignal: Sendable {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets the closure that ``send()`` calls.
  func onSend(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  func send() {
    let action = action.withLock { $0 }
    action?()
  }
}
