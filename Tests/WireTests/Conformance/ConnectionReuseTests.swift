import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A connection is kept when all is well, and only then", .timeLimit(.minutes(1)))
struct ConnectionReuseTests {
  /// Sends a request that is answered like this, then another one; returns how many connections they
  /// took.
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

  // MARK: Kept

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterAResponse(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .text) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterAnEmptyResponse(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .status(.ok)) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection), [204, 304])
  func connectionIsKeptAfterAResponseWithoutABody(
    transport: TransportUnderTest, status: Int
  ) async throws {
    #expect(try await connections(transport, after: .status(.init(code: status))) == 1)
  }

  @Test(
    arguments: TransportUnderTest.all(but: .keptConnection), [400, 403, 404, 409, 422, 500, 503])
  func connectionIsKeptAfterAnError(transport: TransportUnderTest, status: Int) async throws {
    let response = StubResponse.text("no", status: .init(code: status))
    #expect(try await connections(transport, after: response) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterHead(transport: TransportUnderTest) async throws {
    let head = Request<Data>(.head, "/x", decoding: .data)
    #expect(try await connections(transport, after: .text, to: head) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterABodyWasSent(transport: TransportUnderTest) async throws {
    let post = Request<Data>.post("/x", body: .data(Data(count: 100_000)))
    #expect(try await connections(transport, after: .text, to: post) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection), [1, 3, Int.max])
  func connectionIsKeptAfterChunks(transport: TransportUnderTest, size: Int) async throws {
    #expect(try await connections(transport, after: .text.with(.chunked(every: size))) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterNoChunks(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .text("").with(.chunked())) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterAnInterimResponse(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .text.with(.interim(103))) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func connectionIsKeptAfterALargeBody(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .data(Data(count: 2_000_000))) == 1)
  }

  @Test(arguments: TransportUnderTest.all(but: .keptConnection))
  func manyRequestsInTurnShareOneConnection(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(200, [], exchange.path)
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      for number in 0..<50 {
        let text = try await client.send(Request<String>.get("/\(number)"))
        #expect(text == "/\(number)")
      }
      #expect(server.connections.count == 1)
    }
  }

  // MARK: Not kept

  @Test(arguments: TransportUnderTest.allCases)
  func connectionThatIsNotKeptIsClosed(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.headLine("Connection: close")))
      let client = try transport.client(server)
      for _ in 0..<20 { _ = try await client.send(Request<String>.get("/x")) }
      await server.waitForClosedConnections(20)
      #expect(server.connections.allSatisfy { $0.closedBy == .client })
    }
  }

  @Test(.enabled(if: !TransportUnderTest.urlSession.keepsConnections))
  func whoeverKeepsNoConnectionClosesEach() async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text)
      let client = try TransportUnderTest.urlSession.client(server)
      for _ in 0..<20 { _ = try await client.send(Request<String>.get("/x")) }
      await server.waitForClosedConnections(20)
      #expect(server.connections.map(\.requests) == Array(repeating: 1, count: 20))
      #expect(server.connections.allSatisfy { $0.closedBy == .client })
    }
  }

  @Test(arguments: TransportUnderTest.allCases, ["close", "Close", "keep-alive, close"])
  func connectionIsNotKeptWhenTheServerSaysSo(
    transport: TransportUnderTest, value: String
  ) async throws {
    let response = StubResponse.text.with(.headLine("Connection: \(value)"))
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionOfHTTP10IsNotKept(transport: TransportUnderTest) async throws {
    // With a length, and the server leaves it open: nothing but the version says it.
    let response = StubResponse.raw("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionThatEndedABodyIsNotKept(transport: TransportUnderTest) async throws {
    #expect(try await connections(transport, after: .text.with(.closeDelimited)) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterABrokenChunk(transport: TransportUnderTest) async throws {
    let response = StubResponse.raw(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabcd\r\n0\r\n\r\n")
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterABodyThatIsTooLarge(transport: TransportUnderTest) async throws {
    let request = Request<Data>.get("/x").limits { $0.bodySize = 10 }
    let count = try await connections(
      transport, after: .data(Data(count: 1_000_000)).with(.silence(after: 500_000)), to: request)
    #expect(count == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterABodyThatIsDropped(transport: TransportUnderTest) async throws {
    let response = StubResponse.data(Data(count: 1_000), status: .accepted)
    let count = try await connections(transport, after: response.with(.silence(after: 500))) {
      $0.middleware = [Observing { if $0.head.status == .accepted { $0.body = ResponseBody() } }]
    }
    #expect(count == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterALimitOfTime(transport: TransportUnderTest) async throws {
    let (clock, ended) = (TestClock(), Gate())
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.silence(after: 2)))
      server.stub(.get, "/next", with: .text("next"))
      let client = try transport.client(server) { $0.clock = clock }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<Data>.get("/x"))
      }
      await server.waitForRequests(1)
      await clock.advance(by: .seconds(30), until: ended)
      guard case .failure(.timeout) = await request.value else {
        Issue.record("No timeout: \(await request.value)")
        return
      }
      let next = try await client.send(Request<String>.get("/next"))
      #expect(next == "next")
      #expect(server.requests.map(\.connection) == [0, 1])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterACancellation(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.silence(after: 2)))
      server.stub(.get, "/next", with: .text("next"))
      let client = try transport.client(server)
      let request = Task { await client.result(of: Request<Data>.get("/x")) }
      await server.waitForRequests(1)
      request.cancel()
      _ = await request.value
      let next = try await client.send(Request<String>.get("/next"))
      #expect(next == "next")
      #expect(server.requests.map(\.connection) == [0, 1])
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["!", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwrong"])
  func connectionIsNotKeptAfterBytesThatNobodyAskedFor(
    transport: TransportUnderTest, bytes: String
  ) async throws {
    #expect(try await connections(transport, after: .text.with(.extraBytes(bytes))) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterBytesBeyondTheLastChunk(
    transport: TransportUnderTest
  ) async throws {
    let response = StubResponse.text.with(.chunked(), .extraBytes("0\r\n\r\n"))
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases, [204, 304])
  func connectionIsNotKeptAfterABodyWhereThereIsNone(
    transport: TransportUnderTest, status: Int
  ) async throws {
    let response = StubResponse.raw("HTTP/1.1 \(status) Nothing\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    #expect(try await connections(transport, after: response) == 2)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func connectionIsNotKeptAfterABodyForHead(transport: TransportUnderTest) async throws {
    let response = StubResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd")
    let head = Request<Data>(.head, "/x", decoding: .data)
    #expect(try await connections(transport, after: response, to: head) == 2)
  }
}
