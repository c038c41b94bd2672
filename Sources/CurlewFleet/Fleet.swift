import CurlewSupport
import Synchronization

/// The state that the servers of an app share: values with versions, news of them, quotas and leases.
///
/// ```swift
/// let fleet = Fleet()                                                   // one process
/// let fleet = Fleet(try RedisEngine("redis://…", secret: secret))      // several servers
/// ```
///
/// No call waits longer than ``Options/timeLimit`` for a response of the engine. While the engine is away, values are local,
/// quotas are this server's last share, and leases are granted by this server alone; when it is back, local values are stored
/// unless another server was first, and all subscribers read again.
public final class Fleet: Sendable {
  /// The maximum size of a value in bytes, without the app's version.
  private static let maxSize = 64 << 10

  /// The intervals of a fleet, and the version of its values.
  public struct Options: Sendable, Hashable {
    /// The maximum time that a call waits for the engine, after the calls before it: 100 ms by default.
    public var timeLimit = Duration.milliseconds(100)
    /// The time between two attempts to reach an engine that is away: 1 s by default.
    public var retryInterval = Duration.seconds(1)
    /// The time after which subscribers read again without news: 30 s by default.
    public var checkInterval = Duration.seconds(30)
    /// The version of the app's values, of at most 255 bytes.
    public var appVersion = ""
    /// Other versions of the app whose values this version can read.
    public var readableVersions: Set<String> = []

    /// Creates the default options.
    public init() {}
  }

  /// The name of this server: unique, and new in each process.
  public let server: String
  let options: Options
  let engine: any FleetEngine
  /// Whether the engine is in this process: it is never away, and its calls have no time limit.
  let isInProcess: Bool
  let clock: RelativeClock
  let report: @Sendable (FleetEvent) -> Void
  let state = Mutex(FleetState())
  let subscribers = Subscribers<(key: String, version: Int64)?>()

  /// Creates the fleet of this server.
  ///
  /// - Parameters:
  ///   - engine: The engine that all servers share; by default this process alone.
  ///   - options: The intervals, and the version of the values.
  ///   - server: The name of this server, unique among all processes; by default random.
  ///   - clock: The clock for limits and intervals.
  ///   - report: Called at the beginning and the end of each outage, for a log.
  public init(
    _ engine: any FleetEngine = InProcessEngine(), options: Options = Options(),
    server: String? = nil,
    clock: some Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (FleetEvent) -> Void = { _ in }
  ) {
    precondition(
      options.appVersion.utf8.count <= 255, "The app's version has more than 255 bytes.")
    (self.engine, self.options, self.report) = (engine, options, report)
    isInProcess = engine is InProcessEngine
    self.server = server ?? Self.randomName()
    self.clock = RelativeClock(clock)
    start()
  }

  deinit { for task in state.withLock({ $0.tasks }) { task.cancel() } }

  /// The counts since the fleet was created.
  public var metrics: FleetMetrics { state.withLock { $0.metrics } }

  // MARK: Values

  /// Returns the newest value of a key or, while the engine is away, the last known one.
  public func value(_ key: String) async -> FleetValue {
    let stored = try? await call { engine throws(FleetError) in try await engine.value(key) }
    let now = clock.now
    let value = state.withLock { state in
      if let stored, !state.isAway { state.keep(stored, of: key, until: now + .seconds(600)) }
      let local = state.local(key, at: now)
      return local?.pending == nil ? stored ?? local?.value : local?.value
    }
    return opened(value ?? FleetValue())
  }

  /// Stores a value if its version is still the given one, and sends news of it; returns it with its new version.
  ///
  /// While the engine is away, the value is local, and is stored when the engine is back, unless another server was
  /// first: the version is negative. Whatever happens, the value is stored at most once.
  ///
  /// - Parameters:
  ///   - key: The key, which must not contain a secret.
  ///   - bytes: The value; `nil` removes it.
  ///   - ifVersion: The version that the key must have, 0 for none; `nil` for any version.
  ///   - lease: A lease that this server must still hold.
  ///   - expires: The time after which the value is forgotten.
  /// - Throws: ``FleetError/conflict(_:)`` with the newer value, ``FleetError/leaseLost``, ``FleetError/tooLarge(limit:)``,
  ///   ``FleetError/malformed(_:)`` if the key has something that is no value of a fleet, or ``FleetError/timeout`` if another
  ///   write was faster and it is unknown whether this one was stored before.
  @discardableResult
  public func set(
    _ key: String, _ bytes: [UInt8]?, ifVersion: Int64? = nil, lease: FleetLease? = nil,
    expires: Duration
  ) async throws(FleetError) -> FleetValue {
    guard bytes?.count ?? 0 <= Self.maxSize else { throw .tooLarge(limit: Self.maxSize) }
    let sealed = bytes.map(sealed)
    let id = Self.randomName()
    var (base, isAway) = state.withLock {
      ($0.storedVersion(of: key, for: ifVersion), $0.isAway)
    }
    while true {
      let write = FleetWrite(
        id: id, bytes: sealed, ifVersion: base, lease: lease, expires: expires)
      do throws(FleetError) {
        let value = try await call { engine throws(FleetError) in
          try await engine.set(key, write)
        }
        let now = clock.now
        state.withLock { $0.keep(value, of: key, until: now + expires) }
        return opened(value)
      } catch {
        guard !error.beginsOutage else {
          return try setLocally(key, write, ifVersion: ifVersion, wasSent: !isAway)
        }
        guard case .conflict(let value) = error else { throw error }
        guard ifVersion == nil else { throw .conflict(opened(value)) }
        (base, isAway) = (value.version, false)
      }
    }
  }

  // MARK: Quotas

  /// Takes units of a quota that all servers share: as many as are left, and the time until there are more if they are fewer.
  ///
  /// In any period of the window's length, all servers together get at most the limit. While the engine is away, this server
  /// gets its last share of the limit. It fits `RateBudget(units:)` of Curlew.
  public func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration
  ) async -> (count: Int, retryAfter: Duration?) {
    let granted = try? await call { [server] engine throws(FleetError) in
      try await engine.take(count, of: scope, limit: limit, per: window, for: server)
    }
    let now = clock.now
    return state.withLock { state in
      state.take(granted, of: scope, count, limit: limit, per: window, at: now)
    }
  }

  // MARK: Leases

  /// Takes a lease, or extends this server's; returns `nil` while another server holds it.
  ///
  /// While the engine is away, each server gets the lease, so that its work continues.
  ///
  /// - Parameters:
  ///   - key: The key of the lease, whose value is the name of the server that holds it.
  ///   - duration: The time after which it expires, by the engine's clock.
  public func lease(_ key: String, for duration: Duration) async -> FleetLease? {
    let write = FleetWrite(
      id: server, bytes: sealed(Array(server.utf8)), ifVersion: 0, expires: duration)
    do throws(FleetError) {
      let value = try await call { engine throws(FleetError) in try await engine.set(key, write) }
      return (key, value.version)
    } catch {
      return error.beginsOutage ? (key, -1) : nil
    }
  }

  /// Ends a lease, so that another server can take it at once.
  public func release(_ lease: FleetLease) async {
    let write = FleetWrite(
      id: Self.randomName(), bytes: nil, ifVersion: lease.number, expires: .zero)
    _ = try? await call { engine throws(FleetError) in try await engine.set(lease.key, write) }
  }

  // MARK: The app's version

  /// Returns a value with the app's version before it.
  func sealed(_ bytes: [UInt8]) -> [UInt8] {
    [UInt8(options.appVersion.utf8.count)] + options.appVersion.utf8 + bytes
  }

  /// Returns a value without the app's version; without bytes if the version is unknown.
  func opened(_ value: FleetValue) -> FleetValue {
    var opened = value
    opened.bytes = value.bytes.flatMap { bytes in
      guard let count = bytes.first.map(Int.init), bytes.count > count else { return nil }
      let version = String(decoding: bytes[1..<(count + 1)], as: UTF8.self)
      guard version == options.appVersion || options.readableVersions.contains(version) else {
        return nil
      }
      return Array(bytes[(count + 1)...])
    }
    return opened
  }

  static func randomName() -> String {
    String(UInt128.random(in: 0 ... .max), radix: 36)
  }
}
