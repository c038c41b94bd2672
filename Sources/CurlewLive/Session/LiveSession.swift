package import CurlewScreens
import Synchronization

/// The running screen of one browser tab.
package final class LiveSession<Content: Screen>: Sendable {
  private struct Usage {
    /// The session's connections by number, each with the closure that wakes it.
    var connections: [Int: @Sendable () -> Void] = [:]
    var lastConnection = 0
    /// Whether a browser has ever connected.
    var hasConnected = false
    var lastUsed: Duration
    var acknowledged = 0
  }

  /// A random, unguessable id, which is the only protection of the session.
  let id: String
  package let runner: Runner<Content>
  let navigator = LiveNavigator()
  private let usage: Mutex<Usage>

  package init(_ screen: Content, clock: any Clock<Duration>, writes: PendingWork, now: Duration) {
    var generator = SystemRandomNumberGenerator()
    id = (0..<2).map { _ in
      let digits = String(generator.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
    runner = Runner(screen, clock: clock, navigator: navigator, writes: writes)
    usage = Mutex(Usage(lastUsed: now))
    navigator.onGo { [weak self] in self?.wake() }
  }

  deinit {
    runner.stop()
  }

  /// Adds a connection, which is woken when a message is acknowledged or the screen navigates;
  /// returns its number.
  func connect(at now: Duration, wake: @escaping @Sendable () -> Void) -> Int {
    usage.withLock { usage in
      usage.lastConnection += 1
      usage.connections[usage.lastConnection] = wake
      usage.hasConnected = true
      usage.lastUsed = now
      return usage.lastConnection
    }
  }

  private func wake() {
    let connections = usage.withLock { $0.connections.values }
    for wake in connections { wake() }
  }

  func disconnect(_ connection: Int, at now: Duration) {
    usage.withLock { usage in
      usage.connections[connection] = nil
      usage.lastUsed = now
    }
  }

  /// The number of the newest message from the browser that this session has applied.
  var acknowledged: Int { usage.withLock { $0.acknowledged } }

  func acknowledge(_ message: Int, at now: Duration) {
    usage.withLock { usage in
      usage.acknowledged = max(usage.acknowledged, message)
      usage.lastUsed = now
      for wake in usage.connections.values { wake() }
    }
  }

  /// Returns the time since the session was last used, and whether a browser has ever connected;
  /// `nil` while a browser is connected.
  func idleTime(at now: Duration) -> (time: Duration, hasConnected: Bool)? {
    usage.withLock { usage in
      usage.connections.isEmpty ? (now - usage.lastUsed, usage.hasConnected) : nil
    }
  }
}
