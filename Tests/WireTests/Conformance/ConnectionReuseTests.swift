import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("A connection is kept when all is well, and only then", .timeLimit(.minutes(1)))
struct ConnectionReuseTests {
  /// Sends a request with the given response, then another request; returns how many connections they used.
  private func connections(
    _ transport: TransportUnderTest, after response: StubResponse,
    to request: Request<Data> = .get("/x"),
    configure: (inout Client.Configuration) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Int {
    try await withFaultServer(sourceLocation: sourceLocation) { server in
      server.stub(request.method, "/x", with: response)
      server.stub(.get, "/next", with: .text("next"))
      let client = try transport.client(server) {
        $0.transport = transport.freshTransport
        configure(&$0)
      }
      _ = await client.result(of: request)
      if request.body.contentType != nil { try await transport.turnAfterABody() }
      let next = await client.result(of: Request<String>.get("/next"))
      #expect((try? next.get()) == "next", "\(next)", sourceLocation: sourceLocation)
      return server.connections.count
    }
  }

  // MARK: Kept connections

  private static let kept: [(response: StubResponse, request: Request<Data>)] =
    [
      .text, .status(.ok), .status(.noContent), .status(.notModified), .text.with(.interim(103)),
      .text("").with(.chunked()), .data(Data(count: 2_000_000)),
    ].map { ($0, .get("/x")) }
    + [400, 403, 404, 409, 422, 500, 503]
    .map { (.text("no", status: .init(code: $0)), .get("/x")) }
    + [1, 3, Int.max].map { (.text.with(.chunked(every: $0)), .get("/x")) }
    + [
      (.text, Request(.head, "/x", decoding: .data)),
      (.text, .post("/x", body: .data(Data(count: 100_000)))),
    ]

  @Test(arguments: TransportUnderTest.all(but: .keptConnection), kept)
  func `connection is kept after a response`(
    transport: TransportUnderTest, exchange: (response: StubResponse, request: Request<Data>)
  ) async throws {
    #expect(try await connections(transport, after: exchange.response, to: exchange.request) == 1)
  }

  // MARK: Closed connections

  @Test(arguments: TransportUnderTest.allCases)
  func `connection that is not kept is closed`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.headLine("Connection: close")))
      let client = try transport.client(server)
      for _ in 0..<20 { _ = try await client.send(Request<String>.get("/x")) }
      await server.waitForClosedConnections(20)
      #expect(server.connections.allSatisfy { $0.closedBy == .client })
    }
  }

  @Test(.enabled(if: !TransportUnderTest.urlSession.keepsConnections))
  func `whoever keeps no connection closes each`() async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text)
      let client = try TransportUnderTest.urlSession.client(server)
      for _ in 0..<20 { _ = try await client.send(Request<String>.get("/x")) }
      await server.waitForClosedConnections(20)
      #expect(server.connections.map(\.requests) == Array(repeating: 1, count: 20))
      #expect(server.connections.allSatisfy { $0.closedBy == .client })
    }
  }

  private static let notKept: [StubResponse] =
    ["close", "Close", "keep-alive, close"].map { .text.with(.headLine("Connection: \($0)")) }
    + [
      // With a length, and the server leaves the connection open: only the version prevents reuse.
      .raw("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nabcd"),
      .text.with(.closeDelimited),
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabcd\r\n0\r\n\r\n"),
      // Unsolicited bytes.
      .text.with(.extraBytes("!")), .text.with(.extraBytes(StubResponse.wrong)),
      .text.with(.chunked(), .extraBytes("0\r\n\r\n")),
      .raw("HTTP/1.1 204 Nothing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
      .raw("HTTP/1.1 304 Nothing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
    ]

  @Test(arguments: TransportUnderTest.allCases, notKept)
  func `connection is not kept after a response`(
    transport: TransportUnderTest, response: StubResponse
  ) async throws {
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `connection is not kept after a body for head`(transport: TransportUnderTest) async throws {
    let response = StubResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
    let head = Request<Data>(.head, "/x", decoding: .data)
    #expect(try await connections(transport, after: response, to: head) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `connection is not kept after a body that is too large`(transport: TransportUnderTest)
    async throws
  {
    let request = Request<Data>.get("/x").limits { $0.bodySize = 10 }
    let count = try await connections(
      transport, after: .data(Data(count: 1_000_000)).with(.silence(after: 500_000)), to: request)
    #expect(count == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `connection is not kept after a body that is dropped`(transport: TransportUnderTest)
    async throws
  {
    let response = StubResponse.data(Data(count: 1_000), status: .accepted)
    let count = try await connections(transport, after: response.with(.silence(after: 500))) {
      $0.middleware = [Observing { if $0.head.status == .accepted { $0.body = ResponseBody() } }]
    }
    #expect(count == 2)
  }

  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `connection is not kept after an early end`(
    transport: TransportUnderTest, isCancelled: Bool
  ) async throws {
    let clock = TestClock()
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.silence(after: 2)))
      server.stub(.get, "/next", with: .text("next"))
      let client = try transport.client(server) { $0.clock = clock }
      if isCancelled {
        let request = Task { await client.result(of: Request<Data>.get("/x")) }
        await server.waitForRequests(1)
        request.cancel()
        #expect(await request.value.failure?.isCancelled == true)
      } else {
        let result = await client.result(
          of: Request<Data>.get("/x"), advancing: clock, by: .seconds(30)
        ) {
          await server.waitForRequests(1)
        }
        #expect(result.failure?.timeoutFailure != nil)
      }
      let next = try await client.send(Request<String>.get("/next"))
      #expect(next == "next")
      #expect(server.requests.map(\.connection) == [0, 1])
    }
  }
}
