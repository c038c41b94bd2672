public import CurlewFleet
import NIOCore
public import NIOSSL

/// Redis or Valkey as the engine of a fleet.
///
/// ```swift
/// let fleet = Fleet(try RedisEngine("rediss://app:password@redis.internal/0", secret: secret))
/// ```
///
/// Values are encrypted and names are hashed, so that Redis stores nothing in the clear. Redis Sentinel and Redis Cluster are
/// refused.
public final class RedisEngine: FleetEngine {
  private let commands: RedisConnector
  private let seal: RedisSeal
  /// The channel of news.
  private let channel: String

  /// Creates an engine, and begins to connect.
  ///
  /// - Parameters:
  ///   - url: The address: `redis://user:password@host:6379/0`, `rediss://…` for TLS, or `unix://user:password@/path?db=0`.
  ///   - secret: At least 32 random bytes that all servers of the fleet have.
  ///   - prefix: The beginning of the names in Redis, which tells fleets apart.
  ///   - tls: The certificates that are accepted, and this server's own.
  ///   - timeLimit: The time limit of a command, after which the connections are replaced; callers of a fleet wait at most for the
  ///     fleet's own.
  /// - Throws: ``FleetError/unsupported(_:)`` with a sentence for a wrong address or a short secret.
  public init(
    _ url: String, secret: String, prefix: String = "curlew:",
    tls: TLSConfiguration = .makeClientConfiguration(), timeLimit: Duration = .seconds(1)
  ) throws(FleetError) {
    (seal, channel) = (try RedisSeal(secret: secret, prefix: prefix), prefix + "news")
    commands = RedisConnector(
      try RedisAddress(url), tls: tls, timeLimit: TimeAmount(timeLimit))
  }

  deinit { commands.close() }

  /// Returns the newest value of a key.
  public func value(_ key: String) async throws(FleetError) -> FleetValue {
    let name = seal.name("v", key)
    return try value(await commands.run(["HMGET", name, "v", "w", "b"]).elements[...], name)
  }

  /// Stores or removes a value if the key still has a version.
  public func set(
    _ key: String, _ bytes: [UInt8]?, write: String, ifVersion: Int64, lease: FleetLease?,
    expires: Duration
  ) async throws(FleetError) -> FleetValue {
    let name = seal.name("v", key)
    let reply = try await commands.run(
      [
        "EVAL", RedisScript.set, "2", name, seal.name("v", lease?.key ?? ""), write,
        String(ifVersion), bytes == nil ? "0" : "1", Self.milliseconds(expires),
        lease.map { String($0.number) } ?? "", channel,
      ], [try seal.seal(bytes ?? [], name), try seal.seal(Array(key.utf8), channel)]
    ).elements
    switch reply.first?.text {
    case "0": throw .conflict(try value(reply.dropFirst(), name))
    case "1": return try value(reply.dropFirst(), name)
    case "2": throw .leaseLost
    default: throw Self.unexpected
    }
  }

  /// Takes units of a quota: all, or as many as are left.
  public func take(
    _ count: Int, of scope: String, limit: Int, per window: Duration, for server: String
  ) async throws(FleetError) -> (count: Int, retryAfter: Duration?, share: Int) {
    let reply = try await commands.run([
      "EVAL", RedisScript.take, "1", seal.name("q", scope), Self.units(count), Self.units(limit),
      Self.milliseconds(max(.milliseconds(1), window / 10)), server,
    ])
    let numbers = reply.elements.compactMap(\.number).map { Int($0) }
    guard numbers.count == 3 else { throw Self.unexpected }
    return (numbers[0], numbers[0] < count ? .milliseconds(numbers[1]) : nil, numbers[2])
  }

  /// Returns the news of all keys, over a connection of their own.
  public func events() -> AsyncStream<FleetEngineEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: FleetEngineEvent.self)
    let news: RedisConnector.News = (
      channel,
      { [seal, channel] message in
        let parts = message.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, let version = Int64(String(decoding: parts[0], as: UTF8.self)),
          let key = try? seal.open(Array(parts[1]), channel)
        else { return nil }
        return .changed(key: String(decoding: key, as: UTF8.self), version: version)
      }
    )
    let connector = commands.subscribe(to: news) { continuation.yield($0) }
    continuation.onTermination = { _ in connector.close() }
    return stream
  }

  private static let unexpected = FleetError.unreachable("Redis sent an unexpected reply.")

  // Lua's texts of numbers have 14 digits.
  private static func units(_ count: Int) -> String {
    String(max(0, min(count, 1_000_000_000_000)))
  }

  private static func milliseconds(_ duration: Duration) -> String {
    String(Int64(max(0, min(duration / .milliseconds(1), 3e12)).rounded(.up)))
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
