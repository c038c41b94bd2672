import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A challenge is handed over, and nobody responds to it", .timeLimit(.minutes(1)))
struct ChallengeTests {
  private func field(_ status: Int) -> String {
    status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate"
  }

  /// Expects that each of three requests is answered by its challenge, asked for once.
  private func expectStatus(
    _ transport: TransportUnderTest, _ status: Int = 401, _ challenges: String...,
    to request: Request<Void> = .get("/x"), middleware: [any Middleware] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withTestServer(sourceLocation: sourceLocation) { exchange in
      try await exchange.respond(status, challenges.map { (field(status), $0) }, "who?")
    } _: { server in
      let client = try transport.client(server) { $0.middleware = middleware }
      for _ in 0..<3 {
        let error = try await client.failure(of: request, sourceLocation: sourceLocation)
        guard case .status(let failure) = error else { throw error }
        #expect(failure.response.status.code == status, sourceLocation: sourceLocation)
        let name = try #require(HTTPField.Name(field(status)))
        let handedOver = failure.response.headerFields[name]
        let list = challenges.isEmpty ? nil : challenges.joined(separator: ", ")
        let isSame =
          handedOver?.filter { $0 != " " } == list?.filter { $0 != " " }
          || (handedOver ?? "").isEmpty && (list ?? "").isEmpty
        #expect(isSame, "\(handedOver ?? "none")", sourceLocation: sourceLocation)
        let text = request.method == .head ? "" : "who?"
        #expect(failure.body == Data(text.utf8), sourceLocation: sourceLocation)
      }
      #expect(server.requests.count == 3, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func basicChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(transport, status, "Basic realm=\"birds\", charset=\"UTF-8\"")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func digestChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(
      transport, status,
      "Digest realm=\"a\", qop=\"auth\", algorithm=SHA-256, nonce=\"7ypf\", opaque=\"FQhe\"")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func negotiateChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(transport, status, "Negotiate")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func ntlmChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(transport, status, "NTLM TlRMTVNTUAACAAAA")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func bearerChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(transport, status, "Bearer realm=\"a\", error=\"invalid_token\"")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func challengeOfAnUnknownSchemeIsAStatus(
    transport: TransportUnderTest, status: Int
  ) async throws {
    try await expectStatus(transport, status, "Curlew feather=\"brown\"")
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      "", "=", ",,,", "\"", "Basic", "Basic realm=\"open", "Basic realm=a, Basic realm=b",
      "Digest", "Digest nonce=", "basic Realm = \"a\"", "Basic realm=\"\\\"", "Bearer,Basic",
    ])
  func malformedChallengeIsAStatus(transport: TransportUnderTest, challenge: String) async throws {
    try await expectStatus(transport, 401, challenge)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func longChallengeIsAStatus(transport: TransportUnderTest) async throws {
    try await expectStatus(
      transport, 401, "Basic realm=\"\(String(repeating: "a", count: 5_000))\"")
  }

  @Test(arguments: TransportUnderTest.allCases, [401, 407])
  func refusalWithoutAChallengeIsAStatus(transport: TransportUnderTest, status: Int) async throws {
    try await expectStatus(transport, status)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func challengesInTwoFieldsAreAStatus(transport: TransportUnderTest) async throws {
    try await expectStatus(transport, 401, "Basic realm=\"a\"", "Bearer")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func challengeToHeadIsAStatus(transport: TransportUnderTest) async throws {
    try await expectStatus(transport, 401, "Basic realm=\"a\"", to: .head("/x"))
  }

  @Test(arguments: TransportUnderTest.allCases, [10, 1_000_000])
  func challengeToABodyIsAStatus(transport: TransportUnderTest, size: Int) async throws {
    try await expectStatus(
      transport, 401, "Basic realm=\"a\"", to: .post("/x", body: .data(Data(count: size))))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func challengeToCredentialsIsAStatus(transport: TransportUnderTest) async throws {
    try await expectStatus(
      transport, 401, "Basic realm=\"a\"",
      middleware: [.basic(user: "a", password: "wrong")])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func digestChallengeToCredentialsIsAStatus(transport: TransportUnderTest) async throws {
    try await expectStatus(
      transport, 401, "Digest realm=\"a\", nonce=\"b\"",
      middleware: [.basic(user: "a", password: "wrong")])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyOfAChallengeMayBeChunked(transport: TransportUnderTest) async throws {
    let response = StubResponse.text("who?", status: .unauthorized)
      .with(.headLine("WWW-Authenticate: Basic realm=\"a\""))
    try await transport.expectStatus(401, of: response.with(.chunked(every: 1)))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func bodyOfAChallengeMayEndWithTheConnection(transport: TransportUnderTest) async throws {
    let response = StubResponse.text("who?", status: .unauthorized)
      .with(.headLine("WWW-Authenticate: Basic realm=\"a\""))
    try await transport.expectStatus(401, of: response.with(.closeDelimited))
  }

  @Test(arguments: TransportUnderTest.allCases)
  func largeBodyOfAChallengeIsKeptUpToItsLimit(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(
        401, [("WWW-Authenticate", "Basic realm=\"a\"")], Data(repeating: 97, count: 1_000_000))
    } _: { server in
      let error = try await transport.client(server).failure(of: Request<Void>.get("/x"))
      guard case .status(let failure) = error else { throw error }
      #expect(failure.body == Data(repeating: 97, count: 65_536))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func challengeAfterARedirectIsAStatus(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: "/there"]))
      server.stub(
        .get, "/there", with: .status(.unauthorized, [.wwwAuthenticate: "Basic realm=\"a\""]))
      let error = try await transport.client(server).failure(of: Request<Void>.get("/x"))
      #expect(error.status == .unauthorized)
      #expect(server.requests.map(\.path) == ["/x", "/there"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func challengeWithASuccessIsASuccess(transport: TransportUnderTest) async throws {
    try await transport.expect(
      .text.with(.headLine("WWW-Authenticate: Basic realm=\"a\"")), isTakenAs: "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func sixteenChallengesAtOnceAreStatuses(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(401, [("WWW-Authenticate", "Basic realm=\"a\"")], exchange.path)
    } _: { server in
      let client = try transport.client(server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            let error = try await client.failure(of: Request<Void>.get("/\(number)"))
            guard case .status(let failure) = error else { throw error }
            #expect(failure.body == Data("/\(number)".utf8))
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
