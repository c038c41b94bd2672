/// A write to an engine.
struct FleetWrite: Sendable {
  var id: String
  var bytes: [UInt8]?
  var ifVersion: Int64
  var lease: FleetLease?
  var expires: Duration
}

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

  /// The maximum number of values that are kept for an outage.
  private static let maxCount = 1_000

  var locals: [String: Local] = [:]
  private var quotas: [String: (window: QuotaWindow, share: Int)] = [:]
  /// The number of quotas after which unused ones are forgotten.
  private var maxQuotas = maxCount
  var metrics = FleetMetrics()
  var tasks: [Task<Void, Never>] = []
  var runningCalls = 0
  var waitingCalls: [CheckedContinuation<Void, Never>] = []
  /// The keys of the tokens that this server refreshes.
  var refreshes: Set<String> = []
  private var lastLocalVersion: Int64 = 0

  var isAway: Bool { !metrics.isConnected }

  func local(_ key: String, at now: Duration) -> Local? {
    locals[key].flatMap { $0.expiresAt > now ? $0 : nil }
  }

  /// Remembers a value of the engine for an outage.
  mutating func keep(_ value: FleetValue, of key: String, until expiry: Duration) {
    let old = locals[key]
    guard old?.pending == nil, value.version == 0 || value.version >= old?.value.version ?? 0 else {
      return
    }
    locals[key] = Local(value: value, expiresAt: expiry, settled: old?.settled)
    shrink()
  }

  /// Forgets a quarter of the values if there are too many: values that the engine has first, and the first to expire.
  private mutating func shrink() {
    guard locals.count > Self.maxCount else { return }
    let removed = locals.sorted {
      let isPending = ($0.value.pending != nil, $1.value.pending != nil)
      return isPending.0 == isPending.1 ? $0.value.expiresAt < $1.value.expiresAt : isPending.1
    }
    for (key, _) in removed.prefix(Self.maxCount / 4) { locals[key] = nil }
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
    _ key: String, _ write: FleetWrite, ifVersion: Int64?, wasSent: Bool, at now: Duration
  ) throws(FleetError) -> FleetValue {
    let old = local(key, at: now)
    if let ifVersion, let old, ![ifVersion, write.ifVersion].contains(old.value.version) {
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
    shrink()
    return value
  }

  /// Returns a local value for the engine, which may have stored it from now on; ends the outage if there is none.
  mutating func nextPending(at now: Duration) -> (key: String, write: FleetWrite)? {
    locals = locals.filter { $0.value.pending == nil || $0.value.expiresAt > now }
    guard let (key, local) = locals.first(where: { $0.value.pending != nil }),
      var pending = local.pending
    else {
      metrics.isConnected = true
      metrics.reconnections += 1
      return nil
    }
    pending.sent.insert(pending.write.id)
    pending.write.expires = local.expiresAt - now
    locals[key]?.pending = pending
    return (key, pending.write)
  }

  /// Applies the engine's response to a local value; returns whether the value gave way.
  mutating func settle(
    _ key: String, _ write: FleetWrite, _ result: Result<FleetValue, FleetError>
  ) -> Bool {
    guard var local = locals[key], let pending = local.pending else { return false }
    switch result {
    // Set again meanwhile; the next attempt finds that the engine has this server's write.
    case .success where pending.write.id != write.id: return false
    case .success(let value):
      local.settled = (local.value.version, value.version)
      (local.value, local.pending) = (value, nil)
    case .failure(.conflict(let value))
    where value.version == 0 || pending.sent.contains(value.write):
      // The engine has restarted without data, or stored a write of this server whose response was lost.
      local.pending?.write.ifVersion = value.version
      local.pending?.sent = []
    case .failure(let error):
      if case .conflict(let newer) = error {
        local.value = newer
      } else {
        local.value = FleetValue()
      }
      local.pending = nil
    }
    locals[key] = local
    return if case .failure = result { local.pending == nil } else { false }
  }

  /// Counts the units that the engine has granted; without it, grants units of this server's share.
  mutating func take(
    _ granted: (count: Int, retryAfter: Duration?, share: Int)?, of scope: String, _ count: Int,
    limit: Int, per window: Duration, at now: Duration
  ) -> (count: Int, retryAfter: Duration?) {
    if quotas.count > maxQuotas {
      quotas = quotas.filter { $0.value.window.end > now }
      maxQuotas = max(Self.maxCount, 2 * quotas.count)
    }
    var quota = quotas[scope] ?? (QuotaWindow(), limit)
    if let granted { quota.share = granted.share }
    let local = quota.window.take(
      min(granted?.count ?? count, count), limit: granted == nil ? min(quota.share, limit) : .max,
      per: window, at: now)
    quotas[scope] = quota
    let denied = metrics.denied.addingReportingOverflow(max(0, count - local.count))
    metrics.denied = denied.overflow ? .max : denied.partialValue
    return (local.count, granted == nil ? local.retryAfter : granted?.retryAfter)
  }
}
