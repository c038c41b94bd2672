import Crypto
import Foundation
import NIOCore
import NIOSSL
import TestSupport
import Testing

@testable import CurlewFleet
@testable import CurlewRedis

let secret = "0123456789abcdef0123456789abcdef"

/// The promises of an engine, of both engines.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: RedisProcess.isExpected, "redis-server is not installed."))
struct RedisEngineTests {
  enum Kind: CaseIterable, Sendable { case inProcess, redis }

  private func withEngine(
    _ kind: Kind, _ body: (any FleetEngine) async throws -> Void
  ) async throws {
    guard kind == .redis else { return try await body(InProcessEngine()) }
    let redis = try await RedisProcess()
    try await body(RedisEngine("unix://\(redis.socket)?db=3", secret: secret))
    await redis.stop()
  }

  @Test(arguments: Kind.allCases)
  func `A write is stored once, and only over its version`(_ kind: Kind) async throws {
    try await withEngine(kind) { engine in
      #expect(try await engine.value("key") == FleetValue())
      let write = FleetWrite(id: "a", bytes: [0, 255], ifVersion: 0, expires: .seconds(60))
      let first = try await engine.set("key", write)
      #expect(first.bytes == [0, 255] && first.version > 0 && first.write == "a")
      #expect(try await engine.set("key", write) == first)
      #expect(try await engine.value("key") == first)
      var second = write
      second.id = "b"
      await #expect(throws: FleetError.conflict(first)) { try await engine.set("key", second) }
      (second.ifVersion, second.bytes) = (first.version, nil)
      let removed = try await engine.set("key", second)
      #expect(removed.bytes == nil && removed.version > first.version)
      #expect(try await engine.value("key") == removed)
      let brief = FleetWrite(id: "c", bytes: [1], ifVersion: 0, expires: .milliseconds(1))
      _ = try await engine.set("brief", brief)
      while try await engine.value("brief") != FleetValue() { await Task.yield() }
    }
  }

  @Test(arguments: Kind.allCases)
  func `A lease has one holder, and its number must be current`(_ kind: Kind) async throws {
    try await withEngine(kind) { engine in
      var options = Fleet.Options()
      options.timeLimit = .seconds(30)
      let one = Fleet(engine, options: options, server: "a")
      let two = Fleet(engine, options: options, server: "b")
      let lease = try #require(await one.lease("l", for: .seconds(60)))
      #expect(lease.number > 0)
      #expect(try #require(await one.lease("l", for: .seconds(60))) == lease)
      #expect(await two.lease("l", for: .seconds(60)) == nil)
      #expect(await two.text("l") == "a")
      let write = FleetWrite(
        id: "1", bytes: [1], ifVersion: 0, lease: lease, expires: .seconds(60))
      let first = try await engine.set("key", write)
      await one.release(lease)
      let next = try #require(await two.lease("l", for: .seconds(60)))
      #expect(next.number > lease.number)
      await one.release(lease)
      #expect(await one.lease("l", for: .seconds(60)) == nil)
      var late = write
      (late.id, late.ifVersion) = ("2", first.version)
      await #expect(throws: FleetError.leaseLost) { try await engine.set("key", late) }
      // The same write again sets its expiry anew, which extends a lease.
      var brief = FleetWrite(id: "3", bytes: [], ifVersion: 0, expires: .seconds(60))
      _ = try await engine.set("brief", brief)
      brief.expires = .zero
      _ = try await engine.set("brief", brief)
      #expect(try await engine.value("brief") == FleetValue())
    }
  }

  @Test(arguments: Kind.allCases)
  func `Units of a quota are granted while there are any`(_ kind: Kind) async throws {
    try await withEngine(kind) { engine in
      func take(
        _ count: Int, _ server: String
      ) async throws -> (count: Int, retryAfter: Duration?, share: Int) {
        try await engine.take(count, of: "api", limit: 10, per: .seconds(600), for: server)
      }
      #expect(try await take(4, "a") == (4, nil, 10))
      #expect(try await take(4, "b") == (4, nil, 5))
      let rest = try await take(4, "b")
      #expect(rest.count == 2 && rest.share == 5)
      #expect(try #require(rest.retryAfter) > .seconds(500))
      #expect(try await take(1, "a").count == 0)
      #expect(
        try await engine.take(1, of: "other", limit: 1, per: .seconds(1), for: "a").count == 1)
      for window in [Duration.seconds(Int64.max), .zero, .seconds(-1)] {
        for count in [Int.max, 1, .min] {
          _ = try await engine.take(
            count, of: "\(window)", limit: .max, per: window, for: "a")
        }
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `News name the key and its version`(_ kind: Kind) async throws {
    try await withEngine(kind) { engine in
      var events = engine.events().makeAsyncIterator()
      #expect(await events.next() == .connected)
      let write = FleetWrite(id: "a", bytes: [1], ifVersion: 0, expires: .seconds(60))
      let value = try await engine.set("a key", write)
      #expect(await events.next() == .changed(key: "a key", version: value.version))
    }
  }

  @Test func `Redis stores neither names nor values in the clear`() async throws {
    let redis = try await RedisProcess()
    let engine = try RedisEngine("unix://\(redis.socket)", secret: secret)
    let write = FleetWrite(
      id: "w", bytes: Array("password".utf8), ifVersion: 0, expires: .seconds(60))
    _ = try await engine.set("alice", write)
    _ = try await engine.take(1, of: "alice", limit: 1, per: .seconds(1), for: "s")
    let raw = try connector(redis)
    var dump: [RedisReply] = []
    for name in try await raw.run(["KEYS", "*"]).elements {
      dump += [name, try await raw.run(["HGETALL", name.text ?? ""])]
      #expect(try await raw.run(["PTTL", name.text ?? ""]).number ?? 0 > 0)
    }
    #expect(dump.count == 4)
    let texts = "\(dump.map { $0.elements.compactMap(\.text) + [$0.text ?? ""] })"
    #expect(!texts.contains("password") && !texts.contains("alice"))
    let other = try RedisEngine("unix://\(redis.socket)", secret: String(secret.reversed()))
    #expect(try await other.value("alice") == FleetValue())
    await redis.stop()
  }

  @Test func `Redis is reached by TLS, if its certificate is trusted`() async throws {
    let authority = try TestCertificate.authority()
    let own = try authority.issue(names: ["127.0.0.1"])
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
    try Data((own.pem + "\n" + own.key.pemRepresentation).utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let port = freePort()
    let redis = try await RedisProcess([
      "--tls-port", "\(port)", "--tls-cert-file", file.path, "--tls-key-file", file.path,
      "--tls-auth-clients", "no",
    ])
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: Array(authority.der), format: .der)
    ])
    let url = "rediss://127.0.0.1:\(port)"
    let trusting = try RedisEngine(url, secret: secret, tls: tls, timeLimit: .seconds(10))
    #expect(try await trusting.value("key") == FleetValue())
    let other = try RedisEngine(url, secret: secret, timeLimit: .seconds(10))
    await #expect(throws: FleetError.self) { try await other.value("key") }
    await redis.stop()
  }

  @Test func `A key of another type is an error of that key alone`() async throws {
    let redis = try await RedisProcess()
    let engine = try RedisEngine("unix://\(redis.socket)", secret: secret)
    let raw = try connector(redis)
    let write = FleetWrite(id: "w", bytes: [1], ifVersion: 0, expires: .seconds(60))
    _ = try await engine.set("key", write)
    let name = try #require(try await raw.run(["KEYS", "*"]).elements.first?.text)
    _ = try await raw.run(["SET", name, "text"])
    let error = FleetError.malformed("A key of the fleet has a value of another type (WRONGTYPE).")
    await #expect(throws: error) { try await engine.value("key") }
    await #expect(throws: error) { try await engine.set("key", write) }
    let fleet = Fleet(engine)
    #expect(await fleet.value("key") == FleetValue())
    #expect(fleet.metrics.isConnected)
    await redis.stop()
  }
}

/// A connection for raw commands.
func connector(_ redis: RedisProcess) throws -> RedisConnector {
  RedisConnector(
    try RedisAddress("unix://\(redis.socket)"), tls: .makeClientConfiguration(),
    timeLimit: .seconds(10))
}
