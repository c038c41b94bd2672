import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite("A token that is refused is refreshed", .timeLimit(.minutes(1)))
struct TokenRefreshTests {
  private struct Grant: Decodable {
    let access: String
  }

  /// Runs a test with a client of a server that accepts only the token `new`, and issues it.
  private func withClient(
    _ transport: TransportUnderTest, granting response: StubResponse = .json(#"{"access": "new"}"#),
    refusing challenge: String = #"Bearer error="invalid_token""#,
    _ test: (Client, FaultServer) async throws -> Void
  ) async throws {
    try await withFaultServer { server in
      server.handle { exchange in
        if exchange.request["Authorization"] == "Bearer new" {
          try await exchange.respond(200, [], exchange.request.text + exchange.path)
        } else {
          try await exchange.respond(401, [("WWW-Authenticate", challenge)], "who?")
        }
      }
      server.stub(.post, "/token", with: response)
      let tokens = try transport.client(server)
      let client = try transport.client(server) {
        $0.middleware = [
          .bearer(BearerToken(access: Sensitive("old"))) { _ in
            let grant = try await tokens.send(Request<Grant>.post("/token"))
            return BearerToken(access: Sensitive(grant.access))
          }
        ]
      }
      try await test(client, server)
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [#"Bearer error="invalid_token""#, #"Basic realm="birds""#])
  func `request is sent once more`(transport: TransportUnderTest, challenge: String) async throws {
    try await withClient(transport, refusing: challenge) { client, server in
      for _ in 0..<2 {
        let text = try await client.send(Request<String>.get("/x"))
        #expect(text == "/x")
      }
      #expect(server.requests.map(\.path) == ["/x", "/token", "/x", "/x"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `body is sent once more`(transport: TransportUnderTest) async throws {
    try await withClient(transport) { client, server in
      let text = try await client.send(Request<String>.post("/x", body: .json([1])))
      #expect(text == "[1]/x")
      #expect(server.requests.map(\.text) == ["[1]", "", "[1]"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `requests that are refused together share one refresh`(
    transport: TransportUnderTest
  ) async throws {
    try await withClient(transport) { client, server in
      let texts = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<16 {
          group.addTask { try await client.send(Request<String>.get("/\(number)")) }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(texts == Set((0..<16).map { "/\($0)" }))
      #expect(server.requests.count { $0.path == "/token" } == 1)
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `new token that is refused is a status`(transport: TransportUnderTest) async throws {
    try await withClient(
      transport, granting: .json(#"{"access": "newer"}"#)
    ) { client, server in
      let error = try await client.failure(of: Request<String>.get("/x"))
      #expect(error.status == .unauthorized)
      #expect(server.requests.map(\.path) == ["/x", "/token", "/x"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `refresh that is refused is the failure`(transport: TransportUnderTest) async throws {
    let refused = StubResponse.status(.unauthorized, [.wwwAuthenticate: "Basic realm=\"tokens\""])
    try await withClient(transport, granting: refused) { client, server in
      let error = try await client.failure(of: Request<String>.get("/x"))
      #expect(error.status == .unauthorized)
      #expect(error.request == "POST \(server.origin)/token")
      #expect(server.requests.map(\.path) == ["/x", "/token"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `refresh whose connection breaks is the failure`(transport: TransportUnderTest) async throws
  {
    try await withClient(
      transport, granting: .json("{}").with(.cut(after: 1))
    ) { client, server in
      let error = try await client.failure(of: Request<String>.get("/x"))
      guard case .transport(let failure) = error else { throw error }
      #expect(failure.request == "POST \(server.origin)/token")
    }
  }
}
