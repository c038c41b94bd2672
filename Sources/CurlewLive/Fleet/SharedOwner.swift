import CurlewScreens
import Synchronization

/// Decides which server of a fleet runs the screen that all visitors of a page share: the holder of a lease.
///
/// The owner stores the screen's saved state at each change. When the owner is gone, another server takes the lease, and its
/// screen goes on from that state.
final class SharedOwner<Page: LivePage>: Sendable {
  private struct State {
    /// The number of this server's lease; `nil` while another server owns the screen.
    var lease: Int64?
    var taking: Task<String?, Never>?
    /// The last known owner, if it is another server.
    var other: String?
    /// The saved state that is stored, and whether a newer one waits.
    var stored: String?
    var (isStoring, isChanged) = (false, false)
  }

  private let page: Page
  private let fleet: LiveFleet
  private let sessions: LiveSessions<Page>
  private let time: Duration
  private let key: String
  private let state = Mutex(State())

  init(
    _ page: Page, _ fleet: LiveFleet, _ sessions: LiveSessions<Page>, keeping time: Duration,
    key: SigningKey
  ) {
    (self.page, self.fleet, self.sessions, self.time) = (page, fleet, sessions, time)
    // Servers with another signing key run another app, whose requests they refuse.
    self.key = "live/screens/" + key.name(ofScreenAt: page.path)
    fleet.renew { [weak self] in await self?.renew() }
    fleet.onEnd { [weak self] in await self?.release() }
    sessions.onSharedChange { [weak self] in self?.store() }
  }

  /// Returns the server that owns the screen, which may be this one from now on; `nil` while the owner is gone, and its
  /// lease has not expired.
  func owner() async -> String? {
    let taking = state.withLock { state -> Task<String?, Never>? in
      if state.lease != nil { return nil }
      if let taking = state.taking { return taking }
      let taking = Task { await find() }
      state.taking = taking
      return taking
    }
    return if let taking { await taking.value } else { fleet.server }
  }

  private func find() async -> String? {
    defer { state.withLock { $0.taking = nil } }
    // The engine may have lost its values, but the owner has the screen.
    let known = await fleet.values.text(key) ?? state.withLock { $0.other }
    if let known, known != fleet.server, await fleet.address(of: known) != nil {
      state.withLock { $0.other = known }
      return known
    }
    guard let lease = await fleet.values.leaseNumber(key, for: LiveFleet.leaseTime) else {
      return nil
    }
    await set(key, fleet.server, lease, expires: LiveFleet.leaseTime)
    let stored = await fleet.values.text(key + "/state")
    if let stored, let runner = sessions.shared?.runner {
      runner.begin()
      for event in page.events(restoring: stored, in: runner.state) { runner.send(event) }
    }
    state.withLock { ($0.lease, $0.stored, $0.other) = (lease, stored, nil) }
    return fleet.server
  }

  /// Extends the lease; if it is lost, ends the sessions, whose tabs connect to the new owner's.
  private func renew() async {
    guard let old = state.withLock({ $0.lease }) else {
      // One that began while the lease was lost.
      return sessions.isEmpty ? () : sessions.restart()
    }
    if let lease = await fleet.values.leaseNumber(key, for: LiveFleet.leaseTime),
      lease == old || lease < 0 ? true : await isNewest(),
      await set(key, fleet.server, lease, expires: LiveFleet.leaseTime)
    {
      state.withLock { state in
        // An engine that has lost the lease may have lost the saved state, too.
        if lease != old { state.stored = nil }
        state.lease = lease
      }
      return store()
    }
    state.withLock { $0.lease = nil }
    sessions.restart()
  }

  /// Whether no other server has stored a state while this one's lease was lost, or the engine has lost it.
  private func isNewest() async -> Bool {
    let text = await fleet.values.text(key + "/state")
    return text == nil || text == state.withLock { $0.stored }
  }

  private func release() async {
    guard let lease = state.withLock({ $0.lease }) else { return }
    await save(lease)
    state.withLock { $0.lease = nil }
    await set(key, nil, lease, expires: LiveFleet.leaseTime)
    await fleet.values.release(key, lease)
  }

  @discardableResult
  private func set(
    _ key: String, _ text: String?, _ lease: Int64, expires: Duration
  ) async -> Bool {
    await fleet.values.set(key, text, lease: (self.key, lease), expires: expires)
  }

  @discardableResult
  private func save(_ lease: Int64) async -> Bool {
    guard let text = sessions.shared.flatMap({ page.savedState(of: $0.runner.state) }),
      text != state.withLock({ $0.stored })
    else { return true }
    guard await set(key + "/state", text, lease, expires: time) else { return false }
    state.withLock { $0.stored = text }
    return true
  }

  /// Stores the saved state if it has changed, and after that the newest one.
  private func store() {
    let isFirst = state.withLock { state in
      defer { (state.isStoring, state.isChanged) = (true, true) }
      return !state.isStoring
    }
    guard isFirst else { return }
    Task {
      while let lease = state.withLock({ state -> Int64? in
        defer { state.isChanged = false }
        state.isStoring = state.isChanged && state.lease != nil
        return state.isStoring ? state.lease : nil
      }) {
        // The engine is back, and has not granted the lease of the outage.
        if await !save(lease), lease < 0 { await renew() }
      }
    }
  }
}
