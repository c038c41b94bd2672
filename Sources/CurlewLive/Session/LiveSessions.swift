import CoreMetrics
import CurlewScreens
import CurlewSupport
package import HTTPTypes
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// The sessions of one page, limited in number and idle time.
package final class LiveSessions<Page: LivePage>: Sendable {
  private struct State {
    var sessions: SessionShares<LiveSession<Page>>
    var sweeper: Task<Void, Never>?
    /// The largest number of sessions since the last time that there were none.
    var peak = 0
    /// The screen that all sessions share; `nil` if each session has its own.
    var shared: SharedScreen<Page.Content>?
    var onSharedChange: (@Sendable () -> Void)?
  }

  private let page: Page
  private let limits: LiveLimits
  private let clock: any Clock<Duration>
  /// A clock with the time since this object was created.
  private let time: RelativeClock
  private let writes: PendingWork
  private let inspector: LiveInspector?
  /// Returns a new session's id, if it names its server; `nil` if any request may choose it.
  private let newID: (@Sendable () -> String)?
  private let state: Mutex<State>
  private let gauge: Gauge
  /// The screen that all sessions share; `nil` if each session has its own.
  var shared: SharedScreen<Page.Content>? { state.withLock { $0.shared } }

  init(
    _ page: Page, limits: LiveLimits, clock: any Clock<Duration>, writes: PendingWork,
    inspector: LiveInspector?, newID: (@Sendable () -> String)? = nil
  ) {
    (self.inspector, self.newID) = (inspector, newID)
    gauge = Gauge(label: "curlew.live.sessions", dimensions: [("page", page.path)])
    self.page = page
    self.limits = limits
    self.clock = clock
    self.writes = writes
    state = Mutex(State(sessions: SessionShares(limits)))
    time = RelativeClock(clock)
    if page.isShared { restart() }
  }

  /// Begins the screen that all sessions share, and ends the sessions of the one before.
  func restart() {
    let shared = SharedScreen(
      page.screen, activity: page.activity, clock: clock, writes: writes,
      timeline: inspector?.timeline(clock), errors: limits.screenErrors)
    shared.onChange { [weak self] in
      let (sessions, action) =
        self?.state.withLock { ($0.sessions.all, $0.onSharedChange) } ?? ([], nil)
      for session in sessions { session.wake() }
      action?()
    }
    // The old screen is released outside the lock.
    var old: SharedScreen<Page.Content>? = shared
    let ended = state.withLock { state in
      swap(&state.shared, &old)
      return state.sessions.removeAll { _ in true }
    }
    for session in ended { session.end() }
  }

  /// Sets the closure that is called when the state of the shared screen has changed.
  func onSharedChange(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.onSharedChange = action }
  }

  deinit {
    state.withLock { $0.sweeper }?.cancel()
  }

  var now: Duration { time.now }

  var isEmpty: Bool { state.withLock { $0.sessions.count == 0 } }

  subscript(id: String) -> LiveSession<Page>? {
    let session = state.withLock { $0.sessions[id] }
    guard let session, !page.isShared, session.runner.failure != nil else { return session }
    // A mistake in the screen has ended it; the tab starts another session.
    state.withLock { _ = $0.sessions.remove(id) }
    return nil
  }

  /// Returns the session that a tab's request names; `nil` when it has ended, or belongs to another visitor or tab.
  func session(of fields: HTTPFields, for visitor: Page.Visitor) -> LiveSession<Page>? {
    guard let id = fields[.liveSession], let tab = fields.liveTab, let session = self[id],
      session.visitor == visitor, session.belongs(to: tab)
    else { return nil }
    return session
  }

  /// Ends the sessions of the visitors with certain ids, who have signed out.
  func end(where isSignedOut: (String) -> Bool) {
    let ended = state.withLock { $0.sessions.removeAll { isSignedOut($0.visitorID) } }
    for session in ended { session.end(signingOut: true) }
  }

  /// Starts a session; returns `nil` if there is no room for it.
  ///
  /// There is no room if all sessions are connected and no client has at least two more sessions
  /// than this client, or if this client is at its own limit and all of its sessions are connected.
  ///
  /// A request may contain the session's id: a tab keeps its session's id when its server is gone,
  /// and a load balancer that routes by id chooses the ids of documents. An id that is already in
  /// use is ignored.
  ///
  /// - Parameters:
  ///   - admission: The visitor that the session belongs to.
  ///   - language: The index of the session's language among the page's languages.
  ///   - client: The client that the session is counted for; `nil` for none.
  package func start(
    for fields: HTTPFields, by admission: Admission<Page.Visitor>, language: Int = 0,
    client: IPAddress?
  ) -> LiveSession<Page>? {
    let name =
      newID?() ?? fields[.liveSession].flatMap { $0.isSessionID && self[$0] == nil ? $0 : nil }
    let timeline = page.isShared ? nil : inspector?.timeline(clock)
    if let tab = fields.liveTab { timeline?.belongs(to: tab) }
    let session = LiveSession(
      page, for: admission, id: name ?? .newSessionID(), clock: clock,
      writes: writes, now: now, language: language, timeline: timeline, shared: shared,
      errors: limits.screenErrors)
    let (isStarted, removed) = state.withLock { state -> (Bool, [LiveSession<Page>]) in
      guard state.sessions[session.id] == nil else { return (false, []) }
      let visitor = admission.id.isEmpty ? nil : admission.id
      var removed = state.sessions.isFull(for: client, by: visitor) ? removeIdle(&state) : []
      let now = now
      let (isStarted, ended) = state.sessions.start(
        session, as: session.id, for: client, by: visitor
      ) {
        $0.idleTime(at: now)?.time
      }
      if let ended { removed.append(ended) }
      guard isStarted else { return (false, removed) }
      state.peak = max(state.peak, state.sessions.count)
      gauge.record(state.sessions.count)
      if state.sweeper == nil { state.sweeper = sweeper() }
      return (true, removed)
    }
    // The tab notices the end, and reconnects.
    for session in removed { session.end() }
    return isStarted ? session : nil
  }

  /// Starts a task that checks the sessions every second until none is left: it removes idle
  /// sessions, suspends abandoned sessions, and wakes silent sessions for their heartbeat.
  ///
  /// Sending the heartbeats of many sessions at the same time would take long.
  private func sweeper() -> Task<Void, Never> {
    let interval = min(.seconds(1), limits.heartbeat)
    return WorkExecutor.task { [clock, weak self] in
      while true {
        try? await clock.sleep(for: interval)
        guard !Task.isCancelled, let self else { return }
        guard await sweep() else { return }
      }
    }
  }

  private func sweep() async -> Bool {
    let (sessions, peak, removed) = state.withLock { state in
      let removed = removeIdle(&state)
      gauge.record(state.sessions.count)
      let peak = state.peak
      if state.sessions.count == 0 { (state.sweeper, state.peak) = (nil, 0) }
      return (state.sessions.all, peak, removed)
    }
    for session in removed { session.end() }
    // Releasing takes time, so it is skipped when the page had few sessions.
    if sessions.isEmpty, peak >= 100 { releaseFreeMemory() }
    let now = now
    for check in sessions.compactMap({ $0.check(at: now, every: limits.visitorInterval) }) {
      // A task each: who a visitor is may be asked from a server that hangs.
      _ = WorkExecutor.task { await check() }
    }
    for (index, session) in sessions.enumerated() {
      // User actions should not wait for thousands of sessions.
      if index % 64 == 63 { await Task.yield() }
      session.rest(unlessInUseAt: now)
      if session.isSilent(at: now, for: limits.heartbeat) { session.wake() }
    }
    return !sessions.isEmpty
  }

  /// Removes and returns the sessions that have been idle for too long; the caller must release
  /// them outside the lock.
  private func removeIdle(_ state: inout State) -> [LiveSession<Page>] {
    let now = now
    return state.sessions.removeAll { session in
      guard let idle = session.idleTime(at: now) else { return false }
      return idle.time >= (idle.hasConnected ? limits.idleTime : limits.connectTime)
    }
  }
}

extension String {
  /// Returns 128 random bits in hexadecimal digits.
  static func newSessionID() -> String {
    String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" })
  }

  /// Whether the text consists of 32 lower-case hexadecimal digits.
  fileprivate var isSessionID: Bool {
    utf8.count == 32 && utf8.allSatisfy("0123456789abcdef".utf8.contains)
  }
}

/// Returns free memory between used blocks to the system, which glibc would keep: after many
/// sessions, as in an attack, a third of the process's memory.
private func releaseFreeMemory() {
  #if canImport(Glibc)
    // Swift's module of glibc has no `malloc.h`.
    guard let trim = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> CInt).self)(0)
  #endif
}
