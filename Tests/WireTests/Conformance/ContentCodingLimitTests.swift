import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import Curlew

@Suite("The limit of size counts decoded bytes", .timeLimit(.minutes(1)))
struct ContentCodingLimitTests {
  private static let megabyte = 1024 * 1024

  /// Counts the bytes from a transport, and records the size of the largest piece.
  private final class Meter: Sendable {
    private let state = Mutex((total: 0, largest: 0))

    var total: Int { state.withLock { $0.total } }
    var largest: Int { state.withLock { $0.largest } }

    func middleware() -> any Middleware {
      Observing { response in
        let body = response.body
        response.body = ResponseBody {
          var pieces = body.makeAsyncIterator()
          return {
            let piece = try await pieces.next()
            let count = piece?.count ?? 0
            self.state.withLock { $0 = ($0.total + count, max($0.largest, count)) }
            return piece
          }
        }
      }
    }
  }

  private func expectTooLarge(_ error: Client.Error, _ limit: Int) throws {
    guard case .tooLarge(let failure) = error else { throw error }
    #expect(failure.bytes == limit)
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    Coded.allCases.flatMap { coded in [1, 10, megabyte].map { (coded, $0) } } + [(.gzip, 0)])
  func `body of exactly the limit is read and one byte more is not`(
    transport: TransportUnderTest, body: (coded: Coded, size: Int)
  ) async throws {
    let (coded, size) = body
    let exact = try coded.body(of: Data(count: size))
    let over = try coded.body(of: Data(count: size + 1))
    try await withTestServer {
      try await $0.respond(coding: coded.name, $0.path == "/over" ? over : exact)
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = size }
      let value = try await client.send(Request<Data>.get("/"))
      #expect(value == Data(count: size))
      try expectTooLarge(try await client.failure(of: Request<Data>.get("/over")), size)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, Coded.allCases)
  func `bomb is cut off at the limit`(transport: TransportUnderTest, coded: Coded) async throws {
    let body = try coded.body(of: Data(count: 10_000_000))
    #expect(body.count < 11_000)
    let meter = Meter()
    try await withTestServer {
      try await $0.respond(coding: coded.name, body)
    } _: { server in
      let client = try transport.client(server) {
        $0.limits.bodySize = Self.megabyte
        $0.middleware = [meter.middleware()]
      }
      try expectTooLarge(try await client.failure(of: Request<Data>.get("/")), Self.megabyte)
      if transport == .asyncHTTPClient {
        #expect(meter.total <= Self.megabyte + 64 * 1024)
        #expect(meter.largest <= 64 * 1024)
      }
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bomb without end closes its connection`(transport: TransportUnderTest) async throws {
    let closed = Gate()
    let member = try Coded.gzip.body(of: Data(count: 10_000_000))
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      while (try? await exchange.write(member)) != nil {}
      await exchange.closed()
      closed.open()
    } _: { server in
      let client = try transport.client(server) { $0.limits.bodySize = Self.megabyte }
      try expectTooLarge(try await client.failure(of: Request<Data>.get("/")), Self.megabyte)
      await closed.wait()
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `bomb of an error is cut off where its text is`(transport: TransportUnderTest) async throws {
    let body = try Coded.gzip.body(of: Data(repeating: 0x61, count: 10_000_000))
    let meter = Meter()
    try await withTestServer {
      try await $0.respond(500, coding: "gzip", body)
    } _: { server in
      let client = try transport.client(server) { $0.middleware = [meter.middleware()] }
      let failure = try await client.statusFailure(of: Request<Data>.get("/"))
      #expect(failure.body == Data(repeating: 0x61, count: 64 * 1024))
      if transport == .asyncHTTPClient { #expect(meter.total <= 192 * 1024) }
    }
  }

  @Test(arguments: TransportUnderTest.all(but: .gzipMembers))
  func `a server waits for a reader of a coded body`(transport: TransportUnderTest) async throws {
    let (reading, goOn, sent) = (Gate(), Gate(), Gate())
    // Stored, not compressed: 100 MB on the wire.
    let (member, count) = (try Coded.gzip.body(of: Data(count: 100_000), level: 0), 1_000)
    try await withTestServer { exchange in
      guard exchange.path == "/large" else { return try await exchange.respond() }
      try await exchange.write(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(member.count * count)\r\n\r\n"
      )
      for _ in 0..<count { try await exchange.write(member) }
      sent.open()
    } _: { server in
      let slow = try transport.client(server) {
        $0.middleware = [Observing { $0.open(reading, thenWaitFor: goOn) }]
        $0.limits.bodySize = 100_000 * count
      }
      async let body = slow.send(Request<Data>.get("/large"))
      await reading.wait()
      // Enough time for the server to send everything: other requests run meanwhile.
      let other = try transport.client(server)
      for _ in 0..<1_000 { try await other.send(Request<Void>.get("/")) }
      #expect(!sent.isOpen)
      goOn.open()
      let length = try await body.count
      #expect(length == 100_000 * count)
    }
  }

  /// Ten compressed kilobytes arrive at once; decoding them takes longer.
  @Test
  func `cancelling ends the decoding of what has come`() async throws {
    let (reading, goOn) = (Gate(), Gate())
    let body = try Coded.gzip.body(of: Data(count: 10_000_000))
    try await withTestServer {
      try await $0.respond(coding: "gzip", body)
    } _: { server in
      let client = try TransportUnderTest.asyncHTTPClient.client(server) {
        $0.middleware = [Observing { $0.open(reading, thenWaitFor: goOn) }]
      }
      let task = Task { await client.result(of: Request<Data>.get("/")) }
      await reading.wait()
      task.cancel()
      #expect(await task.value.failure?.isCancelled == true)
    }
  }

}
