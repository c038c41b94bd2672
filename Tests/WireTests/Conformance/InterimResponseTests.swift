import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Each request gets its own response (RFC 9110 section 15.2)", .timeLimit(.minutes(1)))
struct InterimResponseTests {
  @Test(arguments: TransportUnderTest.allCases)
  func `fields of an interim response are not those of the response`(transport: TransportUnderTest)
    async throws
  {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .text.with(.interim(103, [.eTag: "\"early\""])))
      let response = try await transport.client(server).response(for: Request<String>.get("/x"))
      #expect(response.head.headerFields[.eTag] == nil)
      #expect(response.value == "abcd")
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `continue of a body that did not ask for it is skipped`(transport: TransportUnderTest)
    async throws
  {
    try await withFaultServer { server in
      server.stub(.post, "/x", with: .text.with(.interim(100)))
      let text = try await transport.client(server).send(
        Request<String>.post("/x", body: .json(["a": 1])))
      #expect(text == "abcd")
      #expect(server.requests.map(\.text) == [#"{"a":1}"#])
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases, [Fault.interim(103), .extraBytes(StubResponse.wrong)])
  func `only the redirect is followed`(transport: TransportUnderTest, fault: Fault) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: "/there"]).with(fault))
      server.stub(.get, "/there", with: .text("there"))
      let text = try await transport.client(server).send(Request<String>.get("/x"))
      #expect(text == "there")
    }
  }

  /// A server may do this to close an idle connection; the client may notice at any moment.
  @Test(arguments: TransportUnderTest.allCases)
  func `response that comes between two requests is nobodys`(transport: TransportUnderTest)
    async throws
  {
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
      // The response is unsolicited: the client closes the connection.
      await server.waitForClosedConnections(1)
      let second = try await client.send(Request<String>.get("/y"))
      #expect(second == "own")
    }
  }
}
