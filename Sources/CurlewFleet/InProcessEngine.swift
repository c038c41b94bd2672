import CurlewSupport
import Synchronization

/// An engine in this process, for one server, and for tests of several.
public final class InProcessEngine: FleetEngine {
  private struct Entry {
    var value: FleetValue
    var expiresAt: Duration
  }

  private struct Holder {
    var server: String
    var number: Int64
    var expiresAt: Duration
  }

  private struct Quota {
    var window = QuotaWindow()
    var length: Duration
    /// The time of each server's last request for units.
    var servers: [String: Duration] = [:]
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var leases: [String: Holder] = [:]
    var quotas: [String: Quota] = [:]
    var lastVersion: Int64 = 0
    var subscribers: [Int: AsyncStream<FleetEngineEvent>.Continuation] = [:]
    var sweepAt = 1_000

    mutating func nextVersion() -> Int64 {
      lastVersion += 1
      return lastVersion
    }

    func value(_ key: String, at now: Duration) -> FleetValue {
      entries[key].flatMap { $0.expiresAt > now ? $0.value : nil } ?? FleetValue()
    }

    func holds(_ lease: FleetLease, at now: Duration) -> Bool {
      leases[lease.key].map { $0.number == lease.number && $0.expiresAt > now } ?? false
    }

    mutating func sweep(at now: Duration) {
      guard entries.count + leases.count + quotas.count > sweepAt else { return }
      entries = entries.filter { $0.value.expiresAt > now }
      leases = leases.filter { $0.value.expiresAt > now }
      quotas = quotas.filter { quota in
        quota.value.servers.values.contains { $0 > now - quota.value.length * 2 }
      }
      sweepAt = max(1_000, 2 * (entries.count + leases.count + quotas.count))
    }
  }

  private let clock: RelativeClock
  private let state = Mutex(State())

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

  /// Stores or removes a value if the key still has the write's version.
  public func set(_ key: String, _ write: FleetWrite) async throws(FleetError) -> FleetValue {
    let now = clock.now
    let (value, subscribers) = try state.withLock { state throws(FleetError) in
      let old = state.value(key, at: now)
      if old.write == write.id { return (old, [AsyncStream<FleetEngineEvent>.Continuation]()) }
      guard old.version == write.ifVersion else { throw .conflict(old) }
      if let lease = write.lease, !state.holds(lease, at: now) { throw .leaseLost }
      let value = FleetValue(bytes: write.bytes, version: state.nextVersion(), write: write.id)
      state.entries[key] = Entry(value: value, expiresAt: now + write.expires)
      state.sweep(at: now)
      return (value, Array(state.subscribers.values))
    }
    for subscriber in subscribers { subscriber.yield(.changed(key: key, version: value.version)) }
    return value
  }

  /// Takes units of a quota: all, or as many as are left.
  public func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> FleetGrant {
    let now = clock.now
    return state.withLock { state in
      var quota = state.quotas[scope] ?? Quota(length: window)
      quota.servers[server] = now
      quota.servers = quota.servers.filter { $0.value > now - window * 2 }
      let (free, retryAfter) = quota.window.free(of: limit, per: window, at: now)
      let granted = min(max(count, 0), free)
      quota.window.take(granted, per: window, at: now)
      state.quotas[scope] = quota
      state.sweep(at: now)
      return FleetGrant(
        count: granted, retryAfter: granted < count ? retryAfter : nil,
        share: limit / quota.servers.count)
    }
  }

  /// Takes or extends a lease; returns `nil` while another server holds it.
  public func lease(
    _ key: String, for duration: Duration, server: String
  ) async throws(FleetError) -> FleetLease? {
    let now = clock.now
    return state.withLock { state in
      let old = state.leases[key].flatMap { $0.expiresAt > now ? $0 : nil }
      if let old, old.server != server { return nil }
      let number = old?.number ?? state.nextVersion()
      state.leases[key] = Holder(server: server, number: number, expiresAt: now + duration)
      state.sweep(at: now)
      return FleetLease(key: key, number: number)
    }
  }

  /// Ends a lease, unless another server holds it by now.
  public func release(_ lease: FleetLease) async throws(FleetError) {
    state.withLock { state in
      if state.leases[lease.key]?.number == lease.number { state.leases[lease.key] = nil }
    }
  }

  /// Returns the news of all keys.
  public func events() -> AsyncStream<FleetEngineEvent> {
    let (stream, continuation) = AsyncStream<FleetEngineEvent>.makeStream()
    let number = state.withLock { state -> Int in
      let number = (state.subscribers.keys.max() ?? 0) + 1
      state.subscribers[number] = continuation
      return number
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.subscribers.removeValue(forKey: number) }
    }
    continuation.yield(.connected)
    return stream
  }
}

extension FleetEngine where Self == InProcessEngine {
  /// An engine in this process, for a single server.
  public static var inProcess: Self { Self() }
}
