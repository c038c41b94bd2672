package import CurlewScreens
import Synchronization

/// The session of one browser tab: its own running screen, or its use of the screen that all sessions share.
package final class LiveSession<Page: LivePage>: Sendable {
  private struct Usage {
    /// The newest connection; earlier connections have ended.
    var connection: Connection?
    /// The number of the newest connection; 0 before the first.
    var lastConnection = 0
    var lastUsed: Duration
    /// The time of the last write to the newest connection.
    var lastWritten = Duration.zero
    /// The tab that the session belongs to; `nil` until a tab has used it.
    var tab: String?
    /// The number of the newest message that has arrived.
    var received = 0
    /// The number of the newest message that has been applied.
    var acknowledged = 0
    /// The number of messages that are being applied; their changes are written afterwards.
    var applying = 0
    /// The view that the browser shows, and its version number.
    var shown: (view: LiveView, version: Int)?
    /// The view that was last written to a browser that polls or has polled, until the browser acknowledges its version:
    /// it may not have received the view.
    var unconfirmed: (view: LiveView, version: Int)?
    var lastVersion: Int
    /// The address of the document that a browser without JavaScript was told to reload, and the time at which the
    /// reload is overdue.
    var reload: (address: String, overdue: Duration)?
    /// The browser's number of the stream on which it receives nothing, so that it polls instead, and the time at which
    /// its next poll is overdue.
    var polled: (stream: Int, overdue: Duration)?
    /// The browser's number for the newest connection.
    var stream = 0
    /// The time at which it was last asked who uses the newest connection.
    var asked = Duration.zero
    /// Whether the visitor has signed out.
    var isSignedOut = false
    /// Whether the session applies no more messages, because the server shuts down.
    var isClosed = false
  }

  /// A stream of updates to the session's browser.
  struct Connection: Sendable {
    /// The browser's number for the stream.
    var number = 0
    /// A closure that is called when there may be something to write.
    let wake: @Sendable () -> Void
    /// A closure that ends the stream.
    let end: @Sendable () -> Void
    /// A closure that asks again whether the visitor is still the session's; `nil` for anyone.
    var isCurrent: (@Sendable () async -> Bool)?
  }

  /// A random, unguessable id, which is the only protection of the session.
  let id: String
  package let runner: Runner<Page.Content>
  /// The visitor that the session belongs to.
  let visitor: Page.Visitor
  /// The text that identifies the visitor.
  let visitorID: String
  /// The screen that the session shares with others; `nil` if it has its own screen.
  private let shared: SharedScreen<Page.Content>?
  /// The timeline that the inspector shows; `nil` without an inspector.
  let timeline: Timeline?
  let navigator: LiveNavigator
  /// The index of the session's language among the page's languages.
  let language: Int
  /// Random, so that a version of another session with the same id isn't mistaken for a version of this session.
  private let firstVersion = Int.random(in: 1_000..<100_000)
  private let usage: Mutex<Usage>
  /// Whether the screen's work is suspended; a separate lock serializes suspending and resuming.
  private let isSuspended = Mutex(false)

  init(
    _ page: Page, for admission: Admission<Page.Visitor>, id: String, clock: any Clock<Duration>,
    writes: PendingWork,
    now: Duration, language: Int = 0, timeline: Timeline? = nil,
    shared: SharedScreen<Page.Content>? = nil, errors: ScreenErrorPolicy = .default
  ) {
    self.id = id
    (visitor, visitorID) = (admission.visitor, admission.id)
    self.language = language
    self.shared = shared
    self.timeline = shared?.timeline ?? timeline
    let navigator = LiveNavigator()
    self.navigator = navigator
    runner =
      shared?.runner
      ?? Runner(
        page.screen(for: visitor), clock: clock, navigator: navigator, writes: writes,
        observer: timeline?.observer(), listener: timeline, activity: page.activity,
        onChange: { navigator.wake() }, errors: errors)
    usage = Mutex(Usage(lastUsed: now, lastVersion: firstVersion))
    navigator.onWake { [weak self] in self?.wake() }
    shared?.setInUse(true)
  }

  deinit {
    guard let shared else { return runner.stop() }
    if !isSuspended.withLock({ $0 }) { shared.setInUse(false) }
  }

  // MARK: Connections

  /// Registers a connection and returns its number; ends the previous connection, which the browser no longer reads.
  func connect(_ connection: Connection, at now: Duration) -> Int {
    let (older, number) = usage.withLock { usage in
      let older = usage.connection
      usage.lastConnection += 1
      usage.connection = connection
      usage.stream = connection.number
      usage.reload = nil
      (usage.lastUsed, usage.lastWritten, usage.asked) = (now, now, now)
      return (older, usage.lastConnection)
    }
    older?.end()
    rest(unlessInUseAt: now)
    return number
  }

  /// Wakes the connection, because there may be something to write; ends it if a mistake has ended the screen.
  func wake() {
    if shared == nil, runner.failure != nil { return end() }
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

  /// Ends the connection, so that the browser learns that the session is gone.
  func end(signingOut isSignedOut: Bool = false) {
    let connection = usage.withLock { usage in
      usage.isSignedOut = isSignedOut
      return usage.connection.take()
    }
    connection?.end()
  }

  /// Ends the connection once it has written the changes of all messages; later ones go to the next session.
  func close() {
    usage.withLock { $0.isClosed = true }
    wake()
  }

  /// Whether the session applies no more messages, and has applied all.
  var isClosed: Bool { usage.withLock { $0.isClosed && $0.applying == 0 } }

  /// Whether the visitor has signed out.
  var isSignedOut: Bool { usage.withLock { $0.isSignedOut } }

  /// Returns a closure that asks who uses the connection, and ends it if this is no longer the session's visitor; `nil`
  /// if that was asked within `interval`.
  func check(at now: Duration, every interval: Duration) -> (@Sendable () async -> Void)? {
    usage.withLock { usage in
      guard let connection = usage.connection, let isCurrent = connection.isCurrent,
        now - usage.asked >= interval
      else { return nil }
      usage.asked = now
      return { if await !isCurrent() { connection.end() } }
    }
  }

  /// Records that the browser receives nothing on a stream, for example because a proxy buffers it, and polls for
  /// changes; its next poll is overdue at `overdue`.
  func poll(insteadOf stream: Int, until overdue: Duration, at now: Duration) {
    usage.withLock { usage in
      usage.polled = (stream, overdue)
      usage.lastUsed = now
    }
    rest(unlessInUseAt: now)
  }

  /// Whether the browser receives the events of the newest connection.
  var isReceiving: Bool {
    usage.withLock { usage in usage.polled.map { $0.stream != usage.stream } ?? true }
  }

  /// Returns whether a browser's version comes from an earlier session with the same id; 0 means no version.
  func isNew(to version: Int) -> Bool {
    usage.withLock { version > 0 && (version <= firstVersion || version > $0.lastVersion) }
  }

  /// Returns whether a connection is the newest connection, and has not ended.
  func isNewest(_ connection: Int) -> Bool {
    usage.withLock { $0.connection != nil && $0.lastConnection == connection }
  }

  /// Records the time of a write to a connection.
  func written(at now: Duration, by connection: Int) {
    usage.withLock { if $0.lastConnection == connection { $0.lastWritten = now } }
  }

  /// Returns whether a browser is connected, and nothing has been written to it for `time`.
  func isSilent(at now: Duration, for time: Duration) -> Bool {
    usage.withLock { $0.connection != nil && now - $0.lastWritten >= time }
  }

  /// Suspends the screen's work if no browser is connected, polls, or is about to reload the page, so that an abandoned
  /// page sends no requests; otherwise resumes it.
  func rest(unlessInUseAt now: Duration) {
    isSuspended.withLock { isSuspended in
      let isInUse = usage.withLock { usage in
        usage.connection != nil || usage.reload.map { now < $0.overdue } ?? false
          || usage.polled.map { now < $0.overdue } ?? false
      }
      guard isSuspended == isInUse else { return }
      isSuspended = !isInUse
      if let shared {
        shared.setInUse(isInUse)
      } else if isInUse {
        runner.resume()
      } else {
        runner.suspend()
      }
    }
  }

  /// Returns whether the session belongs to a tab; the first tab that uses the session becomes its owner.
  func belongs(to tab: String) -> Bool {
    usage.withLock { usage in
      if usage.tab == nil {
        usage.tab = tab
        timeline?.belongs(to: tab)
      }
      return usage.tab == tab
    }
  }

  // MARK: The displayed view

  /// Stores the view that the browser shows, and its version number.
  ///
  /// - Parameter connection: The number of the connection that the view was written to. Views of older connections are
  ///   ignored, because the browser no longer reads them.
  func show(_ view: LiveView, as version: Int, by connection: Int) {
    usage.withLock { usage in
      guard connection == usage.lastConnection else { return }
      // A proxy may hold back this stream, too.
      if usage.polled != nil {
        usage.unconfirmed = (view, version)
      } else {
        (usage.shown, usage.unconfirmed) = ((view, version), nil)
      }
    }
  }

  /// Stores the view in the response to a message, unless a newer message was received: the browser then has aborted
  /// the request.
  func recordUnconfirmed(_ view: LiveView, as version: Int, for message: Int) {
    usage.withLock { if message >= $0.received { $0.unconfirmed = (view, version) } }
  }

  /// Returns the number of the next version, which is unique within the session.
  func nextVersion() -> Int {
    usage.withLock { usage in
      usage.lastVersion += 1
      return usage.lastVersion
    }
  }

  /// Returns the view with a version number, which the browser shows; `nil` if it is not known.
  ///
  /// - Parameter message: The message that acknowledges the version; `nil` for a stream.
  func view(_ version: Int, acknowledgedBy message: Int?) -> LiveView? {
    usage.withLock { usage in
      if message.map({ $0 >= usage.received }) ?? true {
        if let unconfirmed = usage.unconfirmed, unconfirmed.version == version {
          usage.shown = unconfirmed
        }
        usage.unconfirmed = nil
      }
      return usage.shown.flatMap { $0.version == version ? $0.view : nil }
    }
  }

  /// Records the time before which a browser without JavaScript reloads a document; `nil` if it won't reload.
  func expectReload(of address: String, before overdue: Duration?, at now: Duration) {
    usage.withLock { usage in
      usage.reload = overdue.map { (address, $0) }
      usage.lastUsed = now
    }
    rest(unlessInUseAt: now)
  }

  /// Returns whether a request for an address is the reload that the browser was told to make.
  func awaitsReload(of address: String) -> Bool {
    usage.withLock { $0.tab == nil && $0.reload?.address == address }
  }

  // MARK: Messages

  /// Applies a message unless it was received before, and wakes the connection once; returns `ended` if it is closed.
  ///
  /// A browser retries a message when it got no response, even if the message was applied.
  func apply<Value>(
    _ message: Int, orEnd ended: Value, at now: () -> Duration, _ body: () -> Value?
  ) -> Value? {
    let (isNew, isClosed) = usage.withLock { usage in
      guard message > usage.received else { return (false, false) }
      guard !usage.isClosed else { return (false, true) }
      usage.received = message
      usage.applying += 1
      return (true, false)
    }
    guard isNew else { return isClosed ? ended : nil }
    let value = body()
    usage.withLock { usage in
      // Set after the event is applied, so that no earlier state is marked as including it.
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
