import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A challenge is handed over, and nobody responds to it", .timeLimit(.minutes(1)))
struct ChallengeTests {
  private static let basic = "Basic realm=\"a\""

  private static let wellFormed = [
    "Basic realm=\"birds\", charset=\"UTF-8\"",
    "Digest realm=\"a\", qop=\"auth\", algorithm=SHA-256, nonce=\"7ypf\", opaque=\"FQhe\"",
    "Negotiate", "NTLM TlRMTVNTUAACAAAA", "Bearer realm=\"a\", error=\"invalid_token\"",
    "Curlew feather=\"brown\"",
  ]

  private static let others = [
    "", "=", ",,,", "\"", "Basic", "Basic realm=\"open", "Basic realm=a, Basic realm=b",
    "Digest", "Digest nonce=", "basic Realm = \"a\"", "Basic realm=\"\\\"", "Bearer,Basic",
    "Basic realm=\"\(String(repeating: "a", count: 5_000))\"",
  ]

  private static let challenges: [(status: Int, list: [String])] =
    [401, 407].flatMap { status in ([[]] + wellFormed.map { [$0] }).map { (status, $0) } }
    + others.map { (401, [$0]) } + [(401, [basic, "Bearer"])]

  /// Expects each of three requests to fail with its challenge, and to be sent once.
  private func expectStatus(
    _ transport: TransportUnderTest, _ status: Int = 401, _ challenges: [String] = [basic],
    to request: Request<Void> = .get("/x"), middleware: [any Middleware] = []
  ) async throws {
    let field = status == 407 ? "Proxy-Authenticate" : "WWW-Authenticate"
    try await withTestServer { exchange in
      try await exchange.respond(status, challenges.map { (field, $0) }, #"{"error":"who?"}"#)
    } _: { server in
      let client = try transport.client(server) { $0.middleware = middleware }
      for _ in 0..<3 {
        let failure = try await client.statusFailure(of: request)
        #expect(failure.response.status.code == status)
        let handedOver = failure.response.headerFields[try #require(HTTPField.Name(field))] ?? ""
        let list = challenges.joined(separator: ", ")
        #expect(handedOver.filter { $0 != " " } == list.filter { $0 != " " })
        #expect(failure.message == (request.method == .head ? nil : "who?"))
      }
      #expect(server.requests.count == 3)
      let hasCredentials = server.requests.map { $0["Authorization"] != nil }
      #expect(hasCredentials == Array(repeating: !middleware.isEmpty, count: 3))
    }
  }

  @Test(arguments: TransportUnderTest.allCases, challenges)
  func `challenge is a status`(
    transport: TransportUnderTest, challenge: (status: Int, list: [String])
  ) async throws {
    try await expectStatus(transport, challenge.status, challenge.list)
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    [
      Request<Void>.head("/x"), .post("/x", body: .data(Data(count: 10))),
      .post("/x", body: .data(Data(count: 1_000_000))),
    ])
  func `challenge to any request is a status`(
    transport: TransportUnderTest, request: Request<Void>
  ) async throws {
    try await expectStatus(transport, to: request)
  }

  @Test(arguments: TransportUnderTest.allCases, [basic, "Digest realm=\"a\", nonce=\"b\""])
  func `challenge to credentials is a status`(
    transport: TransportUnderTest, challenge: String
  ) async throws {
    try await expectStatus(
      transport, 401, [challenge], middleware: [.basic(user: "a", password: "wrong")])
  }

  @Test(arguments: TransportUnderTest.allCases, [Fault.chunked(every: 1), .closeDelimited])
  func `body of a challenge may be framed in any way`(
    transport: TransportUnderTest, framing: Fault
  ) async throws {
    let result = try await transport.result(
      of: .text("who?", status: .unauthorized)
        .with(.headLine("WWW-Authenticate: \(Self.basic)"), framing))
    guard case .failure(let error) = result else {
      Issue.record("No status: \(result)")
      return
    }
    #expect(error.status == .unauthorized)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `challenge after a redirect is a status`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: "/there"]))
      server.stub(.get, "/there", with: .status(.unauthorized, [.wwwAuthenticate: Self.basic]))
      let error = try await transport.client(server).failure(of: Request<Void>.get("/x"))
      #expect(error.status == .unauthorized)
      #expect(server.requests.map(\.path) == ["/x", "/there"])
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `challenge with a success is a success`(transport: TransportUnderTest) async throws {
    let result = try await transport.result(
      of: .text.with(.headLine("WWW-Authenticate: \(Self.basic)")))
    #expect(try result.get() == "abcd")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `sixteen challenges at once are statuses`(transport: TransportUnderTest) async throws {
    try await withTestServer { exchange in
      try await exchange.respond(401, [("WWW-Authenticate", Self.basic)], exchange.path)
    } _: { server in
      let client = try transport.client(server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<16 {
          group.addTask {
            let failure = try await client.statusFailure(of: Request<Void>.get("/\(number)"))
            #expect(failure.body == Data("/\(number)".utf8))
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
