/// The engine behind a ``Fleet``: in this process, or a server such as Redis.
///
/// An engine only stores: ``Fleet`` limits the time of each call, and goes on without the engine while it is away. Each
/// function may be called again with the same arguments after a lost response, without a second effect; only units of a
/// quota are lost then.
public protocol FleetEngine: Sendable {
  /// Returns the newest value of a key; version 0 without bytes if there is none.
  func value(_ key: String) async throws(FleetError) -> FleetValue

  /// Stores or removes a value if the key still has the write's version, and sends news of it.
  ///
  /// - Throws: ``FleetError/conflict(_:)`` if the key has another version, ``FleetError/leaseLost`` if another server holds
  ///   the write's lease or it has expired, or the engine's error.
  func set(_ key: String, _ write: FleetWrite) async throws(FleetError) -> FleetValue

  /// Takes units of a quota: all, or as many as are left.
  func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> FleetGrant

  /// Takes or extends a lease; returns `nil` while another server holds it.
  func lease(
    _ key: String, for duration: Duration, server: String
  ) async throws(FleetError) -> FleetLease?

  /// Ends a lease, unless another server holds it by now.
  func release(_ lease: FleetLease) async throws(FleetError)

  /// Returns the news of all keys, from now on, for as long as they are consumed.
  func events() -> AsyncStream<FleetEngineEvent>
}

/// An event of a ``FleetEngine``.
public enum FleetEngineEvent: Sendable, Equatable {
  /// A key has a new version.
  case changed(key: String, version: Int64)
  /// The engine can be reached, and news may have been lost before.
  case connected
  /// The engine can't be reached.
  case lost(FleetError)
}

/// A value of a fleet with its version.
public struct FleetValue: Sendable, Equatable {
  /// The bytes; `nil` if the key has no value, or a value of an unknown version of the app.
  public var bytes: [UInt8]?
  /// The version, greater than that of all earlier values of the key; 0 if the key never had a value, negative for a value that this
  /// server set while the engine was away.
  public var version: Int64
  /// The identifier of the write that set the value.
  public var write: String

  /// Creates a value.
  public init(bytes: [UInt8]? = nil, version: Int64 = 0, write: String = "") {
    (self.bytes, self.version, self.write) = (bytes, version, write)
  }
}

/// A write to a ``FleetEngine``.
public struct FleetWrite: Sendable, Equatable {
  /// The identifier: an engine that stored this write last stores it no second time.
  public var id: String
  /// The bytes; `nil` removes the value.
  public var bytes: [UInt8]?
  /// The version that the key must have; 0 if it must have none.
  public var ifVersion: Int64
  /// The lease that must be held.
  public var lease: FleetLease?
  /// The time after which the value, or the mark of its removal, is forgotten.
  public var expires: Duration

  /// Creates a write.
  public init(
    id: String, bytes: [UInt8]?, ifVersion: Int64, lease: FleetLease? = nil, expires: Duration
  ) {
    (self.id, self.bytes, self.ifVersion) = (id, bytes, ifVersion)
    (self.lease, self.expires) = (lease, expires)
  }
}

/// The right of one server to a task, until it expires by the engine's clock.
public struct FleetLease: Sendable, Equatable {
  /// The key of the lease.
  public var key: String
  /// The fencing number, greater than that of all earlier holders; negative if the engine was away, and other servers may
  /// have the lease, too.
  public var number: Int64

  /// Creates a lease.
  public init(key: String, number: Int64) { (self.key, self.number) = (key, number) }
}

/// The units that a server got of a quota.
public struct FleetGrant: Sendable, Equatable {
  /// The number of granted units.
  public var count: Int
  /// The time until more units are free; `nil` if all were granted.
  public var retryAfter: Duration?
  /// The server's share of the limit, by which it continues without the engine.
  public var share: Int

  /// Creates a grant.
  public init(count: Int, retryAfter: Duration? = nil, share: Int) {
    (self.count, self.retryAfter, self.share) = (count, retryAfter, share)
  }
}

/// An error of a ``FleetEngine``, or a write that it refused.
public enum FleetError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The key has this value by now.
  case conflict(FleetValue)
  /// The lease has expired, or another server holds it.
  case leaseLost
  /// The value has more bytes than the limit.
  case tooLarge(limit: Int)
  /// The engine did not respond in time.
  case timeout
  /// The engine can't be reached, or closed the connection; with the reason.
  case unreachable(String)
  /// The engine refused the name or the password.
  case unauthorized(String)
  /// The engine loads its data, or can't write now; with its sentence.
  case notReady(String)
  /// The engine has no memory left.
  case full(String)
  /// The engine is of a kind that is not supported, such as a cluster.
  case unsupported(String)
  /// The engine's response is not of the expected form.
  case malformed(String)

  /// A sentence for a log, without values.
  public var description: String {
    switch self {
    case .conflict: "The key has another value by now."
    case .leaseLost: "The lease has expired, or another server holds it."
    case .tooLarge(let limit): "The value has more than \(limit) bytes."
    case .timeout: "The engine did not respond in time."
    case .unreachable(let text), .unauthorized(let text), .notReady(let text), .full(let text),
      .unsupported(let text), .malformed(let text):
      text
    }
  }
}
