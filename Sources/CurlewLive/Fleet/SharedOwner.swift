import CurlewScreens
import Synchronization

/// Decides which server of a fleet runs the screen that all visitors of a page share: the holder of a lease.
///
/// The owner stores the screen's saved state at each change. When the owner is gone, another server takes the lease, and its
/// screen goes on from that state.
final class SharedOwner<Page: LivePage>: Sendable {
  private typealias Lease = (key: String, number: Int64)

  private struct State {
    /// This server's lease; `nil` while another server owns the screen.
    var lease: Lease?
    var taking: Task<String?, Never>?
    /// The last known owner, if it is another server.
    var other: String?
    /// The saved state that is stored.
    var stored: String?
  }

  private let page: Page
  private let fleet: LiveFleet
  private let sessions: LiveSessions<Page>
  private let time: Duration
  private let key: String
  private let state = Mutex(State())
  /// Stores the newest saved state when the screen has changed.
  private let changes: AsyncStream<Void>.Continuation

  init(
    _ page: Page, _ fleet: LiveFleet, _ sessions: LiveSessions<Page>, keeping time: Duration,
    key: SigningKey
  ) {
    (self.page, self.fleet, self.sessions, self.time) = (page, fleet, sessions, time)
    // Servers with another signing key run another app, whose requests they refuse.
    self.key = "live/screens/" + key.name(ofScreenAt: page.path)
    let (stream, changes) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.changes = changes
    Task { [weak self] in for await _ in stream { await self?.save() } }
    sessions.onSharedChange { changes.yield() }
    fleet.onRenewal { [weak self] isLast in
      if isLast { await self?.release() } else { await self?.renew() }
    }
  }

  deinit { changes.finish() }

  /// Returns the server that owns the screen, which may be this one from now on; waits while the owner is gone, and its
  /// lease has not expired; `nil` if that takes too long.
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
    let end = fleet.time.now + LiveFleet.leaseTime * 2
    while fleet.time.now < end {
      // The engine may have lost its values, but the owner has the screen.
      let stored = await fleet.values.text(key).map(SigningKey.hash(of:))
      if let known = stored ?? state.withLock({ $0.other }), known != fleet.server,
        await fleet.address(of: known) != nil
      {
        state.withLock { $0.other = known }
        return known
      }
      if let lease = await fleet.values.lease(key, for: LiveFleet.leaseTime) {
        await restore(with: lease)
        return fleet.server
      }
      try? await fleet.time.sleep(until: fleet.time.now + .milliseconds(100))
    }
    return nil
  }

  /// Continues the screen from the state that the last owner has stored.
  private func restore(with lease: Lease) async {
    let stored = await fleet.values.text(key + "/state")
    if let stored, let runner = sessions.shared?.runner {
      runner.begin()
      for event in page.events(restoring: stored, in: runner.state) { runner.send(event) }
    }
    state.withLock { ($0.lease, $0.stored, $0.other) = (lease, stored, nil) }
  }

  /// Extends the lease; if it is lost, ends the sessions, whose tabs connect to the new owner's.
  private func renew() async {
    guard let old = state.withLock({ $0.lease?.number }) else {
      // A session that began while the lease was lost.
      return sessions.isEmpty ? () : sessions.restart()
    }
    if let lease = await fleet.values.lease(key, for: LiveFleet.leaseTime),
      lease.number == old || lease.number < 0 ? true : await isNewest()
    {
      state.withLock { state in
        // An engine that has lost the lease may have lost the saved state, too.
        if lease.number != old { state.stored = nil }
        state.lease = lease
      }
      changes.yield()
      return
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
    await save()
    if let lease = state.withLock({ $0.lease.take() }) { await fleet.values.release(lease) }
  }

  private func save() async {
    guard let lease = state.withLock({ $0.lease }),
      let text = sessions.shared.flatMap({ page.savedState(of: $0.runner.state) }),
      text != state.withLock({ $0.stored })
    else { return }
    if await fleet.values.set(key + "/state", text, lease: lease, expires: time) {
      state.withLock { $0.stored = text }
    } else if lease.number < 0,
      (await fleet.values.lease(key, for: LiveFleet.leaseTime)).map({ $0.number > 0 }) ?? true
    {
      // The engine is back, and has not granted the lease of the outage. A state that is too large waits for the next renewal.
      await renew()
    }
  }
}
