import CurlewFleet
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CurlewRedis

/// A fleet while a real Redis is gone, slow, full or wrong: it goes on, and each outage is reported once.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: RedisProcess.isExpected, "redis-server is not installed."))
struct RedisOutageTests {
  final class Log: Sendable {
    private let events = Mutex<[FleetEvent]>([])
    var all: [FleetEvent] { events.withLock { $0 } }
    func add(_ event: FleetEvent) { events.withLock { $0.append(event) } }

    /// The outages, and how many of them have ended.
    var counts: [Int] {
      let ended = all.filter { if case .back = $0 { true } else { false } }.count
      return [all.count - ended, ended]
    }
  }

  /// Returns a fleet whose limits only a stopped Redis exceeds.
  private func fleet(_ url: String, _ log: Log) throws -> Fleet {
    var options = Fleet.Options()
    options.timeLimit = .seconds(2)
    options.retryInterval = .milliseconds(50)
    options.checkInterval = .milliseconds(200)
    let engine = try RedisEngine(url, secret: secret, timeLimit: .seconds(2))
    return Fleet(engine, options: options) { log.add($0) }
  }

  private func fleet(_ redis: RedisProcess, _ log: Log) throws -> Fleet {
    try fleet("unix://\(redis.socket)", log)
  }

  /// Sets a value until the engine has it.
  private func settle(_ fleet: Fleet, _ byte: UInt8) async throws -> FleetValue {
    while !Task.isCancelled {
      let value = try await fleet.set("key", [byte], expires: .seconds(600))
      if value.version > 0 { return value }
      await eventually { fleet.metrics.isConnected }
      let settled = await fleet.value("key")
      if settled.version > 0, settled.bytes == [byte] { return settled }
    }
    throw CancellationError()
  }

  @Test func `A killed and empty Redis costs one outage, and local values survive it`() async throws
  {
    let (first, log) = (try await RedisProcess(), (Log(), Log()))
    let (one, two) = (try fleet(first, log.0), try fleet(first, log.1))
    let seen = Mutex<FleetValue?>(nil)
    let reader = Task {
      for await value in two.values(of: "key") { seen.withLock { $0 = value } }
    }
    let old = try await settle(one, 1)
    await eventually { seen.withLock { $0 } == old }
    await first.stop()
    await eventually { log.0.counts == [1, 0] && log.1.counts == [1, 0] }
    let local = try await one.set("key", [2], ifVersion: old.version, expires: .seconds(600))
    #expect(local.version < 0)
    #expect(await two.value("key").bytes == [1])
    let second = try await RedisProcess(at: first.socket)
    await eventually { log.0.counts == [1, 1] && log.1.counts == [1, 1] }
    // The engine lost the version that the local write was based on, and has no other.
    await eventually { seen.withLock { $0?.bytes == [2] && $0?.version ?? 0 > old.version } }
    let value = try await settle(one, 3)
    await eventually { seen.withLock { $0 } == value }
    reader.cancel()
    await second.stop()
    #expect(seen.withLock { $0 } == value)
  }

  @Test func `A stopped Redis costs no caller more than its time limit`() async throws {
    let (redis, log) = (try await RedisProcess(), Log())
    let fleet = try fleet(redis, log)
    let value = try await settle(fleet, 1)
    redis.pause()
    let clock = ContinuousClock()
    let local = try await fleet.set("key", [2], ifVersion: value.version, expires: .seconds(600))
    #expect(local.version < 0)
    let start = clock.now
    for _ in 0..<1_000 { _ = await fleet.value("key") }
    // A thousand time limits would be 2,000 seconds.
    #expect(start.duration(to: clock.now) < .seconds(60))
    redis.resume()
    await eventually { log.counts == [1, 1] }
    // Stored once, although the first attempt arrived late.
    #expect(await fleet.value("key").bytes == [2])
    await redis.stop()
  }

  @Test func `Killed connections cost one outage`() async throws {
    let (redis, log) = (try await RedisProcess(), Log())
    let fleet = try fleet(redis, log)
    _ = try await settle(fleet, 1)
    let raw = try connector(redis)
    // Both at once: connections of two times are two outages.
    func kill() async throws -> [Int64] {
      _ = try await raw.run(["MULTI"])
      for type in ["pubsub", "normal"] {
        _ = try await raw.run(["CLIENT", "KILL", "TYPE", type, "SKIPME", "yes"])
      }
      return try await raw.run(["EXEC"]).elements.compactMap(\.number)
    }
    #expect(try await kill() == [1, 1])
    await eventually { log.counts == [1, 1] }
    #expect(try await settle(fleet, 2).bytes == [2])
    #expect(log.counts == [1, 1])
    await redis.stop()
  }

  @Test func `A full Redis costs one outage, and its end stores the local values`() async throws {
    let (redis, log) = (try await RedisProcess(), Log())
    let fleet = try fleet(redis, log)
    let value = try await settle(fleet, 1)
    let raw = try connector(redis)
    _ = try await raw.run(["CONFIG", "SET", "maxmemory", "1"])
    let local = try await fleet.set("key", [2], ifVersion: value.version, expires: .seconds(600))
    #expect(local.version < 0)
    #expect(log.all == [.away(.full("Redis has no memory left (maxmemory)."))])
    for _ in 0..<20 {
      _ = try await fleet.set("key", [3], expires: .seconds(600))
      _ = await fleet.value("key")
    }
    #expect(log.counts == [1, 0])
    _ = try await raw.run(["CONFIG", "SET", "maxmemory", "0"])
    await eventually { log.counts == [1, 1] }
    #expect(await fleet.value("key").bytes == [3])
    await redis.stop()
  }

  @Test func `A wrong password is reported once, without the password`() async throws {
    let redis = try await RedisProcess([
      "--requirepass", "right", "--user", "app", "on", ">mine", "~*", "&*", "+@all",
    ])
    let log = (Log(), Log(), Log())
    let wrong = try fleet("unix://app:hidden@\(redis.socket)", log.0)
    for _ in 0..<20 { _ = try await wrong.set("key", [3], expires: .seconds(600)) }
    await eventually { wrong.metrics.failures > 3 }
    #expect(log.0.all == [.away(.unauthorized("Redis refuses the user or the password."))])
    let none = try fleet(redis, log.1)
    _ = try await none.set("key", [3], expires: .seconds(600))
    #expect(log.1.counts == [1, 0])
    let right = try fleet("unix://app:mine@\(redis.socket)", log.2)
    #expect(try await right.set("key", [4], expires: .seconds(600)).version > 0)
    #expect(log.2.all == [])
    await redis.stop()
  }

  @Test func `A user who may not subscribe has no engine, and that is reported once`() async throws
  {
    let redis = try await RedisProcess([
      "--user", "deaf", "on", ">mine", "~*", "resetchannels", "+@all",
    ])
    let log = Log()
    let fleet = try fleet("unix://deaf:mine@\(redis.socket)", log)
    await eventually { fleet.metrics.failures > 3 }
    #expect(log.counts == [1, 0])
    await redis.stop()
  }
}
