import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Each request gets its own response (RFC 9110 section 15.2)", .timeLimit(.minutes(1)))
struct InterimResponseTests {
  @Test(arguments: TransportUnderTest.allCases, [100, 102, 103, 199])
  func interimResponseIsSkipped(transport: TransportUnderTest, status: Int) async throws {
    try await transport.expect(
      .text.with(.interim(status, [.eTag: "\"early\""])), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func manyInterimResponsesAreSkipped(transport: TransportUnderTest) async throws {
    let interim = (0..<20).map { Fault.interim([100, 102, 103][$0 % 3]) }
    try await transport.expect(.text.with(interim), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func fieldsOfAnInterimResponseAreNotThoseOfTheResponse(transport: TransportUnderTest) async throws
  {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.interim(103, [.eTag: "\"early\""])))
      let response = try await transport.client(server).response(for: Request<String>.get("/x"))
      #expect(response.head.headerFields[.eTag] == nil)
      #expect(response.value == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func statusAfterAnInterimResponseIsReported(transport: TransportUnderTest) async throws {
    try await transport.expectStatus(404, of: .text("no", status: .notFound).with(.interim(103)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func redirectAfterAnInterimResponseIsFollowed(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(
        .get, "/x", with: .status(.found, [.location: "/there"]).with(.interim(103)))
      server.stub(.get, "/there", with: .text("there"))
      let text = try await transport.client(server).send(Request<String>.get("/x"))
      #expect(text == "there")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func endAfterAnInterimResponseIsAnError(transport: TransportUnderTest) async throws {
    try await transport.expectFailure(
      of: .raw("HTTP/1.1 103 Early Hints\r\n\r\n").with(.cut(after: .everything)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func continueOfABodyThatDidNotAskForItIsSkipped(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.post, "/x", with: .text.with(.interim(100)))
      let text = try await transport.client(server).send(
        Request<String>.post("/x", body: .json(["a": 1])))
      #expect(text == "abcd")
      #expect(server.requests.map(\.text) == [#"{"a":1}"#])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func endlessInterimResponsesAreEndedByTheLimitOfTime(transport: TransportUnderTest) async throws {
    let (clock, ended) = (TestClock(), Gate())
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.endless(.interim)))
      let client = try transport.client(server) {
        $0.clock = clock
        $0.limits.connect = nil
      }
      let request = Task {
        defer { ended.open() }
        return await client.result(of: Request<String>.get("/x").limits { $0.total = nil })
      }
      await server.waitForRequests(1)
      await clock.advance(by: .seconds(30), until: ended)
      switch await request.value {
      case .failure(.timeout(let failure)): #expect(failure.limit == .firstByte)
      case .failure(.transport), .failure(.tooLarge): break
      case let result: Issue.record("It ended: \(result)")
      }
      await server.waitForClosedConnections(1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func anotherProtocolThatNobodyAskedForIsNoSuccess(transport: TransportUnderTest) async throws {
    let response = StubResponse.raw(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nabcd")
    let result = try await transport.result(of: response.with(.cut(after: .everything)))
    switch result {
    case .failure(.transport): break
    case .failure(.status(let failure)): #expect(failure.response.status.code == 101)
    default: Issue.record("It was taken: \(result)")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func wholeResponseAfterTheResponseIsNobodys(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.extraBytes(StubResponse.wrong)), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func textAfterTheResponseIsNobodys(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.extraBytes("!")), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func lineEndsAfterTheResponseAreNobodys(transport: TransportUnderTest) async throws {
    try await transport.expect(.text.with(.extraBytes("\r\n")), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func responseAfterAChunkedResponseIsNobodys(transport: TransportUnderTest) async throws {
    try await transport.expect(
      .text.with(.chunked(every: 2), .extraBytes(StubResponse.wrong)), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func responseAfterAnErrorIsNobodys(transport: TransportUnderTest) async throws {
    try await transport.expectStatus(
      404, of: .text("no", status: .notFound).with(.extraBytes(StubResponse.wrong)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func responseAfterARedirectIsNobodys(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(
        .get, "/x",
        with: .status(.found, [.location: "/there"]).with(
          .extraBytes(StubResponse.wrong)))
      server.stub(.get, "/there", with: .text("there"))
      let text = try await transport.client(server).send(Request<String>.get("/x"))
      #expect(text == "there")
    }
  }

  /// As a server does that is tired of a connection, and no matter when the client sees it.
  @Test(arguments: TransportUnderTest.allCases)
  func responseThatComesBetweenTwoRequestsIsNobodys(transport: TransportUnderTest) async throws {
    let goOn = Gate()
    try await withTestServer { exchange in
      guard exchange.path == "/x" else { return try await exchange.respond(200, [], "own") }
      try await exchange.respond(200, [], "abcd")
      await goOn.wait()
      try await exchange.respond(408, [("Connection", "close")], "too late")
    } _: { server in
      let client = try transport.client(server) { $0.transport = transport.freshTransport }
      let first = try await client.send(Request<String>.get("/x"))
      #expect(first == "abcd")
      goOn.open()
      await server.waitForResponses(1)
      // Nobody asked for it: the client closes the connection.
      await server.waitForClosedConnections(1)
      let second = try await client.send(Request<String>.get("/y"))
      #expect(second == "own")
    }
  }
}
