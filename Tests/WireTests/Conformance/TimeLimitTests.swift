import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Each time limit by its name", .timeLimit(.minutes(1)))
struct TimeLimitTests {
  /// Sends a request, lets time pass in steps once the server has it, and returns the timeout that
  /// comes of it; expects that its connection is closed.
  private func timeout(
    _ transport: TransportUnderTest, of response: StubResponse,
    middleware: [any Middleware] = [], limits: (inout Limits) -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Client.TimeoutFailure? {
    let (clock, ended) = (TestClock(), Gate())
    return try await withFaultServer(sourceLocation: sourceLocation) { server in
      server.stub(.get, "/x", with: response)
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits = .none
        $0.middleware = middleware
        limits(&$0.limits)
      }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<Data>.get("/x"))
      }
      await server.waitForRequests(1)
      await clock.advance(by: .seconds(1), until: ended)
      let result = await request.value
      guard case .failure(.timeout(let failure)) = result else {
        Issue.record("No timeout: \(result)", sourceLocation: sourceLocation)
        return nil
      }
      await server.waitForClosedConnections(1)
      #expect(server.connections.first?.closedBy == .client, sourceLocation: sourceLocation)
      return failure
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func noResponseIsNamedFirstByte(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.noResponse)) {
      $0.firstByte = .seconds(7)
    }
    #expect(failure?.limit == .firstByte)
    #expect(failure?.duration == .seconds(7))
  }

  @Test(arguments: TransportUnderTest.allCases, [9, 20])
  func halfAHeadIsNamedFirstByte(transport: TransportUnderTest, bytes: Int) async throws {
    let failure = try await timeout(transport, of: .text.with(.silence(after: .head(bytes)))) {
      $0.firstByte = .seconds(7)
    }
    #expect(failure?.limit == .firstByte)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func interimResponsesAreNoFirstByte(transport: TransportUnderTest) async throws {
    let response = StubResponse.text.with(.interim(103), .interim(102), .silence(after: .head(0)))
    let failure = try await timeout(transport, of: response) { $0.firstByte = .seconds(7) }
    #expect(failure?.limit == .firstByte)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func silenceAfterAHeadIsNamedIdle(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.silence(after: 0))) {
      $0.idle = .seconds(7)
    }
    #expect(failure?.limit == .idle)
    #expect(failure?.duration == .seconds(7))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func silenceInABodyIsNamedIdle(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.silence(after: 3))) {
      $0.idle = .seconds(7)
    }
    #expect(failure?.limit == .idle)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func silenceInChunksIsNamedIdle(transport: TransportUnderTest) async throws {
    let response = StubResponse.text.with(.chunked(every: 1), .silence(after: 3))
    let failure = try await timeout(transport, of: response) { $0.idle = .seconds(7) }
    #expect(failure?.limit == .idle)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyWithoutAnEndIsNamedIdle(transport: TransportUnderTest) async throws {
    let response = StubResponse.text.with(.closeDelimited, .silence(after: .everything))
    let failure = try await timeout(transport, of: response) { $0.idle = .seconds(7) }
    #expect(failure?.limit == .idle)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func noResponseInTheWholeTimeIsNamedTotal(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.noResponse)) {
      $0.total = .seconds(7)
    }
    #expect(failure?.limit == .total)
    #expect(failure?.duration == .seconds(7))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyBeyondTheWholeTimeIsNamedTotal(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.silence(after: 2))) {
      $0.total = .seconds(7)
      $0.idle = .seconds(100_000)
    }
    #expect(failure?.limit == .total)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func triesBeyondTheWholeTimeAreNamedTotal(transport: TransportUnderTest) async throws {
    let failure = try await timeout(
      transport, of: .text.with(.noResponse), middleware: [.retrying(attempts: 10)]
    ) {
      $0.total = .seconds(40)
      // So far off that the clock, which goes on while the request is cancelled, does not get there.
      $0.firstByte = .seconds(100_000)
    }
    #expect(failure?.limit == .total)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func shortestOfTheLimitsIsNamed(transport: TransportUnderTest) async throws {
    let failure = try await timeout(transport, of: .text.with(.noResponse)) {
      $0.firstByte = .seconds(7)
      $0.idle = .seconds(6)
      $0.total = .seconds(100_000)
    }
    #expect(failure?.limit == .firstByte)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func timeoutSaysWhereItsLimitIsSet(transport: TransportUnderTest) async throws {
    let failure = try #require(
      try await timeout(transport, of: .text.with(.noResponse)) { $0.firstByte = .seconds(7) })
    #expect("\(Client.Error.timeout(failure))".contains("limits.firstByte"))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyThatGoesOnIsNotIdle(transport: TransportUnderTest) async throws {
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
        // The body's reader waits for this piece when it is done with the one before.
        clock.advance(by: .seconds(4))
        write.open()
        await read.wait()
      }
      #expect(try await text == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func withoutLimitsNothingTimesOut(transport: TransportUnderTest) async throws {
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
  func eachHopHasItsOwnFirstByte(transport: TransportUnderTest) async throws {
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
  func clientGoesOnAfterATimeout(transport: TransportUnderTest) async throws {
    let (clock, ended) = (TestClock(), Gate())
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.noResponse), .text)
      let client = try transport.client(server) { $0.clock = clock }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<Data>.get("/x"))
      }
      await server.waitForRequests(1)
      await clock.advance(by: .seconds(30), until: ended)
      _ = await request.value
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
  /// Opens a gate for each piece of the body that was read.
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
