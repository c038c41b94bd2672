import CurlewSupport
import Synchronization

/// An engine in this process, for one server, and for tests of several.
public final class InProcessEngine: FleetEngine {
  private struct Quota {
    var window = QuotaWindow()
    /// The time of each server's last request for units.
    var servers: [String: Duration] = [:]
  }

  private struct State {
    var entries: [String: (value: FleetValue, expiresAt: Duration)] = [:]
    var quotas: [String: Quota] = [:]
    var lastVersion: Int64 = 0
    var sweepAt = 1_000

    func value(_ key: String, at now: Duration) -> FleetValue {
      entries[key].flatMap { $0.expiresAt > now ? $0.value : nil } ?? FleetValue()
    }

    /// Forgets values that have expired, and unused quotas.
    mutating func sweep(at now: Duration) {
      guard entries.count + quotas.count > sweepAt else { return }
      entries = entries.filter { $0.value.expiresAt > now }
      quotas = quotas.filter { $0.value.window.end > now }
      sweepAt = max(1_000, 2 * (entries.count + quotas.count))
    }
  }

  private let clock: RelativeClock
  private let state = Mutex(State())
  private let subscribers = Subscribers<FleetEngineEvent>()

  /// Creates an empty engine.
  ///
  /// - Parameter clock: The clock by which values and leases expire.
  public init(clock: some Clock<Duration> = ContinuousClock()) {
    self.clock = RelativeClock(clock)
  }

  /// Returns the newest value of a key.
  public func value(_ key: String) async throws(FleetError) -> FleetValue {
    let now = clock.now
    return state.withLock { $0.value(key, at: now) }
  }

  /// Stores or removes a value if the key still has a version.
  public func set(
    _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
    expires: Duration
  ) async throws(FleetError) -> FleetValue {
    let now = clock.now
    let (value, isNew) = try state.withLock { state throws(FleetError) in
      let old = state.value(key, at: now)
      guard old.write != write else {
        state.entries[key]?.expiresAt = now + expires
        return (old, false)
      }
      guard old.version == ifVersion else { throw .conflict(old) }
      if let lease, state.value(lease.key, at: now).version != lease.number { throw .leaseLost }
      state.lastVersion += 1
      let value = FleetValue(bytes: bytes, version: state.lastVersion, write: write)
      state.entries[key] = (value, now + expires)
      state.sweep(at: now)
      return (value, true)
    }
    if isNew { subscribers.send(.changed(key: key, version: value.version)) }
    return value
  }

  /// Takes units of a quota: all, or as many as are left.
  public func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int) {
    let now = clock.now
    return state.withLock { state in
      var quota = state.quotas[scope] ?? Quota()
      quota.servers = quota.servers.filter { $0.value > now - window * 2 }
      quota.servers[server] = now
      let (taken, retryAfter) = quota.window.take(count, limit: limit, per: window, at: now)
      state.quotas[scope] = quota
      state.sweep(at: now)
      return (taken, retryAfter, limit / quota.servers.count)
    }
  }

  /// Returns the news of all keys.
  public func events() -> AsyncStream<FleetEngineEvent> {
    subscribers.stream(beginningWith: .connected) { _ in true }
  }
}
