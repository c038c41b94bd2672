/// The engine behind a ``Fleet``: in this process, or a server such as Redis.
///
/// An engine only stores: ``Fleet`` limits the time of each call, and goes on without the engine while it is away. Each
/// function may be called again with the same arguments after a lost response, without a second effect; only units of a
/// quota are lost then.
public protocol FleetEngine: Sendable {
  /// Returns the newest value of a key; version 0 without bytes if there is none.
  func value(_ key: String) async throws(FleetError) -> FleetValue

  /// Stores a value if the key still has a version, and sends news of it.
  ///
  /// A write that the engine has stored last is not stored again: only the time after which the value is forgotten is set.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - bytes: The bytes; `nil` removes the value.
  ///   - write: The identifier of the write.
  ///   - ifVersion: The version that the key must have; 0 if it must have none.
  ///   - lease: A lease that must be held: its key must still have its number as its version.
  ///   - expires: The time after which the value, or the mark of its removal, is forgotten.
  /// - Throws: ``FleetError/conflict(_:)`` if the key has another version, ``FleetError/leaseLost``, or the engine's error.
  func set(
    _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
    expires: Duration
  ) async throws(FleetError) -> FleetValue

  /// Takes units of a quota: all, or as many as are left.
  ///
  /// - Returns: The number of units, the time until more are free if they are fewer, and the server's share of the limit,
  ///   by which it continues without the engine.
  func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int)

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

/// The right of one server to a task, until it expires by the engine's clock.
///
/// The number is greater than that of all earlier holders, so that it fences their writes off; it is negative if the engine was away,
/// and other servers may have the lease, too. The key's value is the name of the holder.
public typealias FleetLease = (key: String, number: Int64)

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
  /// A key has something that is no value of a fleet.
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

  /// Whether the engine can't be used; otherwise it refused one write, or has one value of a wrong kind.
  var beginsOutage: Bool {
    switch self {
    case .conflict, .leaseLost, .tooLarge, .malformed: false
    case .timeout, .unreachable, .unauthorized, .notReady, .full, .unsupported: true
    }
  }
}
