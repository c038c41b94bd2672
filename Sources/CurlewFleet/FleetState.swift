/// What a ``Fleet`` knows without its engine.
struct FleetState {
  /// A write that waits for the engine.
  struct Pending {
    var write: FleetWrite
    /// The identifiers of writes that the engine may have stored without a response.
    var sent: Set<String> = []
  }

  /// The last known value of a key.
  struct Local {
    var value: FleetValue
    var expiresAt: Duration
    var pending: Pending?
    /// The version that the engine gave to a value that was local.
    var settled: (local: Int64, stored: Int64)?
  }

  var locals: [String: Local] = [:]
  var quotas: [String: (window: QuotaWindow, share: Int?)] = [:]
  /// The time of the outage's beginning; `nil` while the engine is used.
  var awaySince: Duration?
  var mailboxes: [NewsMailbox] = []
  var metrics = FleetMetrics()
  var tasks: [Task<Void, Never>] = []
  private var lastLocalVersion: Int64 = 0

  var isAway: Bool { awaySince != nil }

  func local(_ key: String, at now: Duration) -> Local? {
    locals[key].flatMap { $0.expiresAt > now ? $0 : nil }
  }

  /// Remembers a value of the engine for an outage.
  mutating func keep(
    _ value: FleetValue, of key: String, until expiry: Duration, at now: Duration, maxCount: Int
  ) {
    let old = locals[key]
    guard old?.pending == nil, value.version == 0 || value.version >= old?.value.version ?? 0 else {
      return
    }
    locals[key] = Local(value: value, expiresAt: expiry, settled: old?.settled)
    shrink(to: maxCount, at: now)
  }

  /// Forgets a quarter of the values if there are too many: values that the engine has first, and the first to expire.
  private mutating func shrink(to maxCount: Int, at now: Duration) {
    guard locals.count > maxCount else { return }
    let removed = locals.sorted {
      let isPending = ($0.value.pending != nil, $1.value.pending != nil)
      return isPending.0 == isPending.1 ? $0.value.expiresAt < $1.value.expiresAt : isPending.1
    }
    for (key, _) in removed.prefix(max(1, maxCount / 4)) { locals[key] = nil }
  }

  /// Returns the engine's version for the version that a caller expects; its last known one for `nil`.
  func storedVersion(of key: String, for expected: Int64?) -> Int64 {
    let local = locals[key]
    guard let expected else { return max(0, local?.value.version ?? 0) }
    return local?.settled.flatMap { $0.local == expected ? $0.stored : nil } ?? expected
  }

  /// Sets a value that the engine gets later.
  ///
  /// - Parameter wasSent: Whether the engine may have stored the write.
  mutating func set(
    _ key: String, _ write: FleetWrite, ifVersion: Int64?, wasSent: Bool, at now: Duration,
    maxCount: Int
  ) throws(FleetError) -> FleetValue {
    let old = local(key, at: now)
    if let ifVersion, let old, old.value.version != ifVersion,
      old.value.version != write.ifVersion
    {
      // The engine may have stored the write.
      throw wasSent ? .timeout : .conflict(old.value)
    }
    var pending = Pending(write: write, sent: old?.pending?.sent ?? [])
    // A lease that this server granted to itself is none for the engine.
    if write.lease?.number ?? 0 < 0 { pending.write.lease = nil }
    if wasSent { pending.sent.insert(write.id) }
    pending.write.ifVersion = old?.pending?.write.ifVersion ?? max(0, write.ifVersion)
    lastLocalVersion -= 1
    let value = FleetValue(bytes: write.bytes, version: lastLocalVersion, write: write.id)
    locals[key] = Local(value: value, expiresAt: now + write.expires, pending: pending)
    shrink(to: maxCount, at: now)
    return value
  }

  /// Counts the units of a grant or, without one, grants units of this server's share.
  mutating func count(
    _ grant: FleetGrant?, _ count: Int, of scope: String, limit: Int, per window: Duration,
    at now: Duration
  ) -> FleetGrant {
    if quotas.count > 1_000 {
      quotas = quotas.filter { quota in
        var window = quota.value.window
        return window.free(of: 1, per: .seconds(3_600), at: now).count < 1
      }
    }
    var quota = quotas[scope] ?? (QuotaWindow(), nil)
    if let grant { quota.share = grant.share }
    let share = min(quota.share ?? limit, limit)
    let (free, retryAfter) = quota.window.free(of: share, per: window, at: now)
    let granted = grant?.count ?? min(count, free)
    quota.window.take(granted, per: window, at: now)
    quotas[scope] = quota
    metrics.denied += max(0, count - granted)
    return grant
      ?? FleetGrant(
        count: granted, retryAfter: granted < count ? retryAfter : nil, share: share)
  }
}
