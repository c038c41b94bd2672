package import CurlewScreens
import Synchronization

/// The running screen of one browser tab, or its part in one that all share.
package final class LiveSession<Content: Screen>: Sendable {
  private struct Usage {
    /// The newest connection; those before it have ended.
    var connection: Connection?
    /// The number of the newest connection; 0 before the first.
    var lastConnection = 0
    var lastUsed: Duration
    /// When something was last written to the newest connection.
    var lastWritten = Duration.zero
    /// The tab that it belongs to, once one has used it.
    var tab: String?
    /// The number of the newest message that has arrived.
    var received = 0
    /// The number of the newest message that has been applied.
    var acknowledged = 0
    /// How many messages are being applied: what they change is written once they are.
    var applying = 0
    /// What its browser shows, and that version's number.
    var shown: (view: LiveView, version: Int)?
    var lastVersion: Int
    /// The address of a document that its browser was told to load again, as one without
    /// JavaScript does, and the time at which that is overdue.
    var reload: (address: String, overdue: Duration)?
    /// The stream that its browser does not hear, by the browser's number, so that it asks by itself; and the time
    /// at which its next question is overdue.
    var polled: (stream: Int, overdue: Duration)?
    /// The number that its browser has given to the newest connection.
    var stream = 0
  }

  /// A stream of updates to the session's browser.
  struct Connection: Sendable {
    /// The number that the browser has given to it.
    var number = 0
    /// Called when there may be something to write.
    let wake: @Sendable () -> Void
    /// Ends the stream.
    let end: @Sendable () -> Void
  }

  /// A random, unguessable id, which is the only protection of the session.
  let id: String
  package let runner: Runner<Content>
  /// The screen that it shares with others; `nil` for one of its own.
  private let shared: SharedScreen<Content>?
  /// What its inspector shows; `nil` without one.
  let timeline: Timeline?
  let navigator: LiveNavigator
  /// The number of its language among those of the page.
  let language: Int
  /// Begins anywhere, so that no version of another session with the same name is taken for one of its own.
  private let firstVersion = Int.random(in: 1_000..<100_000)
  private let usage: Mutex<Usage>
  /// Whether its work is suspended, behind a lock of its own that keeps one change of that after the
  /// other.
  private let isResting = Mutex(false)

  init(
    _ screen: Content, id: String, clock: any Clock<Duration>, writes: PendingWork,
    now: Duration, language: Int = 0, timeline: Timeline? = nil,
    shared: SharedScreen<Content>? = nil
  ) {
    self.id = id
    self.language = language
    self.shared = shared
    self.timeline = shared?.timeline ?? timeline
    let navigator = LiveNavigator()
    self.navigator = navigator
    runner =
      shared?.runner
      ?? Runner(
        screen, clock: clock, navigator: navigator, writes: writes,
        observer: timeline?.observer(), listener: timeline, onChange: { navigator.wake() })
    usage = Mutex(Usage(lastUsed: now, lastVersion: firstVersion))
    navigator.onWake { [weak self] in self?.wake() }
    shared?.setInUse(true)
  }

  /// Returns 128 random bits in hexadecimal digits.
  static func newID() -> String {
    String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" })
  }

  deinit {
    guard let shared else { return runner.stop() }
    if !isResting.withLock({ $0 }) { shared.setInUse(false) }
  }

  // MARK: Connections

  /// Begins a connection and returns its number; the one before it ends, because its browser no
  /// longer reads it.
  func connect(_ connection: Connection, at now: Duration) -> Int {
    let (older, number) = usage.withLock { usage in
      let older = usage.connection
      usage.lastConnection += 1
      usage.connection = connection
      usage.stream = connection.number
      usage.reload = nil
      (usage.lastUsed, usage.lastWritten) = (now, now)
      return (older, usage.lastConnection)
    }
    older?.end()
    rest(unlessInUseAt: now)
    return number
  }

  /// Says that there may be something to write.
  func wake() {
    let connection = usage.withLock { $0.applying == 0 ? $0.connection : nil }
    connection?.wake()
  }

  func disconnect(_ number: Int, at now: Duration) {
    usage.withLock { usage in
      guard number == usage.lastConnection else { return }
      usage.connection = nil
      usage.lastUsed = now
    }
    rest(unlessInUseAt: now)
  }

  /// Ends the connection, whose browser then learns that the session is gone.
  func end() {
    let connection = usage.withLock { $0.connection.take() }
    connection?.end()
  }

  /// Notes that its browser does not hear a connection, such as behind a proxy that holds the stream back,
  /// and asks for what changes until a time.
  func poll(insteadOf stream: Int, until overdue: Duration, at now: Duration) {
    usage.withLock { usage in
      usage.polled = (stream, overdue)
      usage.lastUsed = now
    }
    rest(unlessInUseAt: now)
  }

  /// Whether the browser hears the newest connection.
  var isHeard: Bool {
    usage.withLock { usage in usage.polled.map { $0.stream != usage.stream } ?? true }
  }

  /// Returns whether a browser that shows a version has it from another session, whose name this one took; 0 is
  /// no version.
  func isNew(to version: Int) -> Bool {
    usage.withLock { version > 0 && (version <= firstVersion || version > $0.lastVersion) }
  }

  /// Returns whether a connection is the newest one, and has not ended.
  func isNewest(_ connection: Int) -> Bool {
    usage.withLock { $0.connection != nil && $0.lastConnection == connection }
  }

  /// Notes that something has been written to a connection.
  func written(at now: Duration, by connection: Int) {
    usage.withLock { if $0.lastConnection == connection { $0.lastWritten = now } }
  }

  /// Returns whether a browser is connected to whom nothing has been written for a time.
  func isSilent(at now: Duration, for time: Duration) -> Bool {
    usage.withLock { $0.connection != nil && now - $0.lastWritten >= time }
  }

  /// Suspends the screen's work while no browser is connected, asks, or is about to load the page again, so
  /// that an abandoned page asks servers for nothing; resumes it otherwise.
  func rest(unlessInUseAt now: Duration) {
    isResting.withLock { isResting in
      let isInUse = usage.withLock { usage in
        usage.connection != nil || usage.reload.map { now < $0.overdue } ?? false
          || usage.polled.map { now < $0.overdue } ?? false
      }
      guard isResting == isInUse else { return }
      isResting = !isInUse
      if let shared {
        shared.setInUse(isInUse)
      } else if isInUse {
        runner.resume()
      } else {
        runner.suspend()
      }
    }
  }

  /// Returns whether the session belongs to a tab: the first one that asks.
  func belongs(to tab: String) -> Bool {
    usage.withLock { usage in
      if usage.tab == nil {
        usage.tab = tab
        timeline?.belongs(to: tab)
      }
      return usage.tab == tab
    }
  }

  // MARK: What the browser shows

  /// Keeps what its browser shows, and that version's number.
  ///
  /// - Parameter connection: The connection that it was written to, `nil` for the response to a
  ///   request; only the newest one counts, because a browser that has lost the others no longer
  ///   reads them.
  func show(_ view: LiveView, as version: Int, by connection: Int?) {
    usage.withLock { usage in
      if connection ?? usage.lastConnection == usage.lastConnection {
        usage.shown = (view, version)
      }
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

  /// Notes by when a browser without JavaScript loads a document again; `nil` when it will not.
  func expectReload(of address: String, before overdue: Duration?, at now: Duration) {
    usage.withLock { usage in
      usage.reload = overdue.map { (address, $0) }
      usage.lastUsed = now
    }
    rest(unlessInUseAt: now)
  }

  /// Whether a request for an address is the reload that its browser was told to make.
  func awaitsReload(of address: String) -> Bool {
    usage.withLock { $0.tab == nil && $0.reload?.address == address }
  }

  // MARK: Messages

  /// Applies a message that arrives for the first time, and wakes the connection once.
  ///
  /// A browser sends a message again when it got no response, though it may have been applied.
  func apply<Value>(_ message: Int, at now: () -> Duration, _ body: () -> Value?) -> Value? {
    let isNew = usage.withLock { usage in
      guard message > usage.received else { return false }
      usage.received = message
      usage.applying += 1
      return true
    }
    guard isNew else { return nil }
    let value = body()
    usage.withLock { usage in
      // After the event is applied, so that no earlier state claims to include it.
      usage.acknowledged = max(usage.acknowledged, message)
      usage.lastUsed = now()
      usage.applying -= 1
    }
    wake()
    return value
  }

  /// The number of the newest message from the browser that this session has applied.
  var acknowledged: Int { usage.withLock { $0.acknowledged } }

  /// Returns the time since the session was last used, and whether a browser has ever connected;
  /// `nil` while a browser is connected.
  func idleTime(at now: Duration) -> (time: Duration, hasConnected: Bool)? {
    usage.withLock { usage in
      usage.connection == nil
        ? (now - usage.lastUsed, usage.lastConnection > 0 || usage.polled != nil) : nil
    }
  }
}
