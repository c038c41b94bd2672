import CurlewFleet
import Foundation
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import CurlewRedis

/// Replies and commands, without a server.
@Suite(.timeLimit(.minutes(2)))
struct RedisDecoderTests {
  private static let replies =
    "+OK\r\n:42\r\n$5\r\nh\0\r\nx\r\n$-1\r\n*-1\r\n*0\r\n-OOM command not allowed\r\n*2\r\n*1\r\n:-7\r\n$0\r\n\r\n"
  private static let values: [RedisReply] = [
    .string(Array("OK".utf8)), .integer(42), .string(Array("h\0\r\nx".utf8)), .null, .null,
    .array([]),
    .error("OOM command not allowed"), .array([.array([.integer(-7)]), .string([])]),
  ]

  private func decode(_ pieces: [[UInt8]]) throws(FleetError) -> [RedisReply] {
    let decoder = RedisDecoder()
    var replies: [RedisReply] = []
    for piece in pieces { replies += try decoder.decode(ByteBuffer(bytes: piece)) }
    return replies
  }

  @Test func `Replies are complete wherever they are cut`() throws {
    let bytes = Array(Self.replies.utf8)
    #expect(try decode(bytes.map { [$0] }) == Self.values)
    for cut in 0...bytes.count {
      #expect(try decode([Array(bytes[..<cut]), Array(bytes[cut...])]) == Self.values)
    }
  }

  @Test func `A reply of any bytes is an error or a value`() {
    var random = SeededGenerator(seed: Fuzz.seed())
    let samples = Array(Self.replies.utf8)
    let letters = Array("*$+-:0123456789\r\n".utf8) + [0, 255]
    for _ in 0..<Fuzz.runs(20_000) {
      var bytes = random.chance(oneIn: 3) ? [] : samples
      for _ in 0...random.pick(0...8) {
        let byte = random.chance(oneIn: 5) ? UInt8(random.pick(0...255)) : random.pick(letters)
        let index = random.pick(0...bytes.count)
        if index < bytes.count, random.chance(oneIn: 2) {
          bytes[index] = byte
        } else {
          bytes.insert(byte, at: index)
        }
      }
      let cut = random.pick(0...bytes.count)
      _ = try? decode([Array(bytes[..<cut]), Array(bytes[cut...])])
    }
  }

  @Test func `Replies that are too deep or too large are errors`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "*1\r\n", count: depth) + ":1\r\n").utf8)
    }
    #expect(try decode([nested(7)]).count == 1)
    #expect(throws: FleetError.self) { try decode([nested(9)]) }
    let mebibyte = [UInt8](repeating: 65, count: 1 << 20)
    let head = Array("$\(20 << 20)\r\n".utf8)
    #expect(try decode([head] + Array(repeating: mebibyte, count: 15)) == [])
    #expect(throws: FleetError.unreachable("A reply of Redis is larger than 16 MiB.")) {
      try decode([head] + Array(repeating: mebibyte, count: 17))
    }
    for bytes in ["?\r\n", "$9999999999999999999\r\n", "*99999999999\r\n", ":x\r\n"] {
      #expect(throws: FleetError.self) { try decode([Array(bytes.utf8)]) }
    }
  }

  @Test func `A command keeps all bytes of its arguments`() {
    let promise = EmbeddedEventLoop().makePromise(of: RedisReply.self)
    promise.succeed(.null)
    let command = RedisCommand([Array("SET".utf8), [0, 13, 10, 255], []], promise).bytes
    let expected =
      Array("*3\r\n$3\r\nSET\r\n$4\r\n".utf8) + [0, 13, 10, 255] + Array("\r\n$0\r\n\r\n".utf8)
    #expect(Array(command.readableBytesView) == expected)
  }

  @Test(arguments: [
    ("LOADING Redis is loading", FleetError.notReady("Redis can't be used now (LOADING).")),
    (
      "NOAUTH Authentication required.",
      .unauthorized("Redis refuses the user, the password or a command (NOAUTH).")
    ),
    ("OOM command not allowed", .full("Redis has no memory left (maxmemory).")),
    ("MOVED 3999 127.0.0.1:6381", .cluster),
    ("READONLY You can't write against a read only replica.", .replica),
    (
      "ERR Error running script (call to f_1): @user_script:1: WRONGTYPE Operation",
      .malformed("A key of the fleet has a value of another type (WRONGTYPE).")
    ),
    (
      "ERR user_script:16: attempt to perform arithmetic on local 'number' (a nil value) script: f",
      .malformed("A key of the fleet has a value of another type (WRONGTYPE).")
    ),
    (
      "ERR unknown command 'x', with args beginning with: 'secret'",
      .unsupported("Redis refuses a command (ERR).")
    ),
  ])
  func `An error reply is a typed error without its arguments`(_ reply: String, _ error: FleetError)
  {
    #expect(FleetError(reply: reply) == error)
  }

  @Test func `An address is parsed, and Sentinel and Cluster are refused`() throws {
    let tls = try RedisAddress("rediss://app:p%40ss@redis.example:7000/3")
    #expect(tls.host == "redis.example" && tls.port == 7_000)
    #expect(tls.isEncrypted && tls.user == "app" && tls.password == "p@ss" && tls.database == 3)
    let unix = try RedisAddress("unix://:secret@/tmp/redis.sock?db=2")
    #expect(unix.host == nil && unix.path == "/tmp/redis.sock")
    #expect(unix.user == nil && unix.password == "secret" && unix.database == 2)
    #expect(try RedisAddress("redis://localhost").database == 0)
    #expect(try RedisAddress("redis://[::1]/1").host == "::1")
    #expect(throws: FleetError.sentinel) { try RedisAddress("redis+sentinel://a:26379/mymaster") }
    #expect(throws: FleetError.cluster) { try RedisAddress("redis://a:7000,b:7000/0") }
    for wrong in [
      "", "http://x", "redis://x/y", "redis:// /", "unix", "redis://host:99999", "redis://host:0",
      "redis://host?db=3", "unix:///socket?database=3",
    ] {
      #expect(throws: FleetError.self) { try RedisAddress(wrong) }
    }
    #expect(throws: FleetError.self) { try RedisSeal(secret: "short") }
    let seal = try RedisSeal(secret: String(repeating: "s", count: 32))
    #expect(seal.name("v", "\u{e9}") == seal.name("v", "e\u{301}"), "As in a process")
  }

  @Test func `Replies go to their commands in order, and end when the connection does`() throws {
    let channel = EmbeddedChannel(handler: RedisHandler(timeLimit: .seconds(1)) { _ in })
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
    let promises = (0..<3).map { _ in channel.eventLoop.makePromise(of: RedisReply.self) }
    for promise in promises {
      channel.writeAndFlush(
        RedisCommand([Array("PING".utf8)], promise), promise: nil)
    }
    try channel.writeInbound(ByteBuffer(string: ":1\r\n:2"))
    #expect(try promises[0].futureResult.wait() == .integer(1))
    try channel.writeInbound(ByteBuffer(string: "\r\n"))
    #expect(try promises[1].futureResult.wait() == .integer(2))
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(throws: FleetError.timeout) { try promises[2].futureResult.wait() }
    #expect(!channel.isActive)
  }

  @Test func `A reply without a command ends the connection`() throws {
    let channel = EmbeddedChannel(handler: RedisHandler(timeLimit: .seconds(1)) { _ in })
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
    try channel.writeInbound(ByteBuffer(string: "+OK\r\n"))
    #expect(!channel.isActive)
  }
}
