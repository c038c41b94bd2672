public import CurlewFleet
import CurlewSupport
import NIOCore
public import NIOSSL
import Synchronization

/// Redis or Valkey as the engine of a fleet.
///
/// ```swift
/// let fleet = Fleet(try RedisEngine("rediss://app:password@redis.internal/0", secret: secret))
/// ```
///
/// Values are encrypted and names are hashed, so that Redis stores nothing in the clear. Redis Sentinel and Redis Cluster are
/// refused.
public final class RedisEngine: FleetEngine {
  private let connector: RedisConnector
  private let seal: RedisSeal
  private let prefix: String

  /// Creates an engine; it connects on demand.
  ///
  /// - Parameters:
  ///   - url: The address: `redis://user:password@host:6379/0`, `rediss://…` for TLS, or `unix://user:password@/path?db=0`.
  ///   - secret: At least 32 random bytes that all servers of the fleet have.
  ///   - prefix: The beginning of the names in Redis, which tells fleets apart.
  ///   - tls: The certificates that are accepted, and this server's own.
  ///   - timeLimit: The time limit of a command, after which the connection is replaced; callers of a fleet wait at most for the
  ///     fleet's own.
  ///   - clock: The clock for pauses between attempts to connect.
  /// - Throws: ``FleetError/unsupported(_:)`` with a sentence for a wrong address or a short secret.
  public init(
    _ url: String, secret: String, prefix: String = "curlew:",
    tls: TLSConfiguration = .makeClientConfiguration(), timeLimit: Duration = .seconds(1),
    clock: some Clock<Duration> = ContinuousClock()
  ) throws(FleetError) {
    seal = try RedisSeal(secret: secret)
    self.prefix = prefix
    connector = RedisConnector(
      address: try RedisAddress(url), tls: tls, timeLimit: timeLimit, clock: RelativeClock(clock))
  }

  deinit { connector.close() }

  /// Returns the newest value of a key.
  public func value(_ key: String) async throws(FleetError) -> FleetValue {
    let name = prefix + seal.name("v", key)
    let reply = try await connector.run(["HMGET", name, "v", "w", "b"].map { Array($0.utf8) })
    return try value(reply.elements[...], name)
  }

  /// Stores or removes a value if the key still has the write's version.
  public func set(_ key: String, _ write: FleetWrite) async throws(FleetError) -> FleetValue {
    let name = prefix + seal.name("v", key)
    let lease = prefix + seal.name("l", write.lease?.key ?? "")
    let channel = prefix + "news"
    var arguments = [write.id, String(write.ifVersion)].map { Array($0.utf8) }
    arguments.append(try seal.seal(write.bytes ?? [], name))
    arguments += [
      write.bytes == nil ? "0" : "1", Self.milliseconds(write.expires),
      write.lease.map { String($0.number) } ?? "", channel,
    ].map { Array($0.utf8) }
    arguments.append(try seal.seal(Array(key.utf8), channel))
    let reply = try await run(.set, keys: [name, lease], arguments)
    switch reply.elements.first?.text {
    case "0": throw .conflict(try value(reply.elements.dropFirst(), name))
    case "1": return try value(reply.elements.dropFirst(), name)
    case "2": throw .leaseLost
    default: throw Self.unexpected
    }
  }

  /// Takes units of a quota: all, or as many as are left.
  public func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> FleetGrant {
    let arguments = [String(count), String(limit), Self.milliseconds(window / 10), server]
    let reply = try await run(
      .take, keys: [prefix + seal.name("q", scope)], arguments.map { Array($0.utf8) })
    let numbers = reply.elements.compactMap(\.number)
    guard numbers.count == 3 else { throw Self.unexpected }
    return FleetGrant(
      count: Int(numbers[0]), retryAfter: numbers[0] < count ? .milliseconds(numbers[1]) : nil,
      share: Int(numbers[2]))
  }

  /// Takes or extends a lease; returns `nil` while another server holds it.
  public func lease(
    _ key: String, for duration: Duration, server: String
  ) async throws(FleetError) -> FleetLease? {
    let reply = try await run(
      .lease, keys: [prefix + seal.name("l", key)],
      [server, Self.milliseconds(duration)].map { Array($0.utf8) })
    if reply == .null { return nil }
    guard let number = reply.number else { throw Self.unexpected }
    return FleetLease(key: key, number: number)
  }

  /// Ends a lease, unless another server holds it by now.
  public func release(_ lease: FleetLease) async throws(FleetError) {
    _ = try await run(
      .release, keys: [prefix + seal.name("l", lease.key)], [Array(String(lease.number).utf8)])
  }

  /// Returns the news of all keys, over a connection of their own.
  public func events() -> AsyncStream<FleetEngineEvent> {
    let channel = prefix + "news"
    let (stream, continuation) = AsyncStream<FleetEngineEvent>.makeStream()
    let task = Task { [connector, seal] in
      await connector.subscribe(to: channel) { event in
        switch event {
        case .connected: continuation.yield(.connected)
        case .lost(let error): continuation.yield(.lost(error))
        case .message(let bytes):
          let parts = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1)
          guard parts.count == 2, let version = Int64(String(decoding: parts[0], as: UTF8.self)),
            let key = try? seal.open(Array(parts[1]), channel)
          else { return }
          continuation.yield(.changed(key: String(decoding: key, as: UTF8.self), version: version))
        }
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  private static let unexpected = FleetError.malformed("Redis sent an unexpected reply.")

  private static func milliseconds(_ duration: Duration) -> String {
    String(Int64(max(1, min(duration / .milliseconds(1), 4e12)).rounded()))
  }

  private func run(
    _ script: RedisScript, keys: [String], _ arguments: [[UInt8]]
  ) async throws(FleetError) -> RedisReply {
    let rest = ([String(keys.count)] + keys).map { Array($0.utf8) } + arguments
    return try await connector.run(
      [Array("EVALSHA".utf8), Array(script.digest.utf8)] + rest,
      insteadOfMissing: [Array("EVAL".utf8), Array(script.text.utf8)] + rest)
  }

  /// Returns the value in a reply's version, write and bytes.
  private func value(
    _ elements: ArraySlice<RedisReply>, _ name: String
  ) throws(FleetError) -> FleetValue {
    let elements = Array(elements)
    guard elements.count >= 2 else { throw Self.unexpected }
    var value = FleetValue(version: elements[0].number ?? 0, write: elements[1].text ?? "")
    if elements.count > 2, case .string(let bytes) = elements[2] {
      value.bytes = try seal.open(bytes, name)
    }
    return value
  }
}
