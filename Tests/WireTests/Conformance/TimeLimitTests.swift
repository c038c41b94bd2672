import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("Each time limit by its name", .timeLimit(.minutes(1)))
struct TimeLimitTests {
  /// Sends a request, advances the clock in steps once the server has it, and returns the resulting timeout; expects
  /// that the connection is closed.
  private func timeout(
    _ transport: TransportUnderTest, of response: StubResponse,
    middleware: [any Middleware] = [], limits: (inout Limits) -> Void
  ) async throws -> Client.TimeoutFailure {
    let clock = TestClock()
    return try await withFaultServer { server in
      server.stub(.get, "/x", with: response)
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits = .none
        $0.middleware = middleware
        limits(&$0.limits)
      }
      let result = await client.result(
        of: Request<Data>.get("/x"), advancing: clock, by: .seconds(1)
      ) {
        await server.waitForRequests(1)
      }
      let failure = try #require(result.failure?.timeoutFailure, "\(result)")
      await server.waitForClosedConnections(1)
      #expect(server.connections.first?.closedBy == .client)
      return failure
    }
  }

  typealias Limit = Client.TimeoutFailure.Limit

  private static let silences: [(StubResponse, Limit)] = [
    (.text.with(.noResponse), .firstByte),
    (.text.with(.silence(after: .head(9))), .firstByte),
    (.text.with(.silence(after: .head(20))), .firstByte),
    (.text.with(.interim(103), .interim(102), .silence(after: .head(0))), .firstByte),
    (.text.with(.silence(after: 0)), .idle),
    (.text.with(.silence(after: 3)), .idle),
    (.text.with(.chunked(every: 1), .silence(after: 3)), .idle),
    (.text.with(.closeDelimited, .silence(after: .everything)), .idle),
    (.text.with(.noResponse), .total),
    (.text.with(.silence(after: 2)), .total),
  ]

  @Test(arguments: TransportUnderTest.allCases, silences)
  func `silence ends with its limit`(
    transport: TransportUnderTest, silence: (response: StubResponse, limit: Limit)
  ) async throws {
    let failure = try await timeout(transport, of: silence.response) { limits in
      switch silence.limit {
      case .idle: limits.idle = .seconds(7)
      case .total: limits.total = .seconds(7)
      default: limits.firstByte = .seconds(7)
      }
    }
    #expect(failure.limit == silence.limit)
    #expect(failure.duration == .seconds(7))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `tries beyond the whole time are named total`(transport: TransportUnderTest) async throws {
    let failure = try await timeout(
      transport, of: .text.with(.noResponse), middleware: [.retrying(attempts: 10)]
    ) {
      $0.total = .seconds(40)
      // So large that the clock, which advances during the cancellation, does not reach it.
      $0.firstByte = .seconds(100_000)
    }
    #expect(failure.limit == .total)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `shortest of the limits is named`(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.noResponse)) {
      $0.firstByte = .seconds(7)
      $0.idle = .seconds(6)
      $0.total = .seconds(100_000)
    }
    #expect(failure.limit == .firstByte)
    #expect("\(Client.Error.timeout(failure))".contains("limits.firstByte"))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `body that goes on is not idle`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    let read = (0..<4).map { _ in Gate() }
    let write = (0..<4).map { _ in Gate() }
    try await withTestServer { exchange in
      try await exchange.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n")
      for (number, byte) in "abcd".enumerated() {
        await write[number].wait()
        try await exchange.write("\(byte)")
      }
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits = .none
        $0.limits.idle = .seconds(5)
        $0.middleware = [Observing { $0.open(read) }]
      }
      async let text = client.send(Request<String>.get("/"))
      for (read, write) in zip(read, write) {
        // The body's reader waits for this piece after it has processed the previous piece.
        clock.advance(by: .seconds(4))
        write.open()
        await read.wait()
      }
      #expect(try await text == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `without limits nothing times out`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    try await withFaultServer { server in
      let gate = server.hold(.get, "/x")
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits = .none
      }
      async let text = client.send(Request<String>.get("/x"))
      await gate.waitForRequests(1)
      clock.advance(by: .seconds(100_000))
      gate.respond(with: .text)
      #expect(try await text == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `each hop has its own first byte`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    try await withTestServer { exchange in
      clock.advance(by: .seconds(6))
      if exchange.path == "/x" {
        try await exchange.respond(302, [("Location", "/y")])
      } else {
        try await exchange.respond(200, [], "abcd")
      }
    } _: { server in
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits = .none
        $0.limits.firstByte = .seconds(7)
      }
      let text = try await client.send(Request<String>.get("/x"))
      #expect(text == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `client goes on after a timeout`(transport: TransportUnderTest) async throws {
    let clock = TestClock()
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.noResponse), .text)
      let client = try transport.client(server) { $0.clock = clock }
      let request = Request<Data>.get("/x")
      _ = await client.result(of: request, advancing: clock, by: .seconds(30)) {
        await server.waitForRequests(1)
      }
      let text = try await client.send(Request<String>.get("/x"))
      #expect(text == "abcd")
    }
  }
}

extension Limits {
  /// No time limits.
  fileprivate static var none: Limits {
    var limits = Limits()
    (limits.connect, limits.firstByte, limits.idle, limits.total) = (nil, nil, nil, nil)
    return limits
  }
}

extension IncomingResponse {
  /// Opens a gate for each piece of the body that is read.
  fileprivate mutating func open(_ gates: [Gate]) {
    let body = body
    self.body = ResponseBody {
      var pieces = body.makeAsyncIterator()
      var number = 0
      return {
        let piece = try await pieces.next()
        if number < gates.count { gates[number].open() }
        number += 1
        return piece
      }
    }
  }
}
