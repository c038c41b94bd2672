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
    /// The tab that it belongs to, once one has used it.
    var tab: String?
    /// The number of the newest message that has arrived.
    var received = 0
    /// The number of the newest message that has been applied.
    var acknowledged = 0
    /// What its browser shows, and that version's number.
    var shown: (view: LiveView, version: Int)?
    var lastVersion = 0
    /// The address of a document that its browser was told to load again, as one without
    /// JavaScript does.
    var reload: String?
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

  /// Returns whether the session belongs to a tab: the first one that asks.
  func belongs(to tab: String) -> Bool {
    usage.withLock { usage in
      if usage.tab == nil { usage.tab = tab }
      return usage.tab == tab
    }
  }

  // MARK: What the browser shows

  /// Keeps what its browser shows, and that version's number.
  ///
  /// - Parameter connection: The connection that it was written to; only the newest one counts,
  ///   because a browser that has lost the others no longer reads them.
  func show(_ view: LiveView, as version: Int, by connection: Int = 0) {
    usage.withLock { usage in
      if connection == usage.lastConnection { usage.shown = (view, version) }
    }
  }

  /// A number for the next version, which no other connection of the session has.
  func nextVersion() -> Int {
    usage.withLock { usage in
      usage.lastVersion += 1
      return usage.lastVersion
    }
  }

  /// Returns what a browser shows that has a version; `nil` when the version is not the last one.
  func view(_ version: Int) -> LiveView? {
    usage.withLock { usage in usage.shown.flatMap { $0.version == version ? $0.view : nil } }
  }

  /// Sets the address that a browser without JavaScript will load again; `nil` for none.
  func awaitReload(of address: String?, at now: Duration) {
    usage.withLock { ($0.reload, $0.lastUsed) = (address, now) }
  }

  /// Whether a request for an address is the reload that its browser was told to make.
  func awaitsReload(of address: String) -> Bool {
    usage.withLock { $0.tab == nil && $0.reload == address }
  }

  // MARK: Messages

  /// Returns whether a message arrives for the first time.
  ///
  /// A browser sends a message again when it got no response, though it may have been applied.
  func receive(_ message: Int) -> Bool {
    usage.withLock { usage in
      guard message > usage.received else { return false }
      usage.received = message
      return true
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
