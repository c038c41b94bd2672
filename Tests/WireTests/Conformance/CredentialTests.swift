import Curlew
import CurlewFaultServer
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Credentials reach their server, and no other", .timeLimit(.minutes(1)))
struct CredentialTests {
  private static let key = HTTPField.Name("X-Api-Key") ?? .authorization

  /// Sends a request with these middlewares, and returns the request at the server.
  private func sent(
    _ transport: TransportUnderTest, _ middleware: [any Middleware],
    _ request: Request<Void> = .get("/x")
  ) async throws -> WireRequest {
    try await withFaultServer { server in
      server.stub(.get, "/**", with: .text)
      try await transport.client(server) { $0.middleware = middleware }.send(request)
      #expect(server.requests.count == 1)
      return try #require(server.requests.first)
    }
  }

  /// Sends a request that is redirected to another port and back; returns the request at the other port, and the
  /// request that came back.
  private func redirected(
    _ transport: TransportUnderTest, _ middleware: [any Middleware],
    _ fields: HTTPFields = [:]
  ) async throws -> (other: WireRequest, back: WireRequest) {
    try await withFaultServer { other in
      try await withFaultServer { server in
        server.stub(.get, "/x", with: .status(.found, [.location: other.origin + "/other"]))
        other.stub(.get, "/other", with: .status(.found, [.location: server.origin + "/back"]))
        server.stub(.get, "/back", with: .text)
        let client = try transport.client(server) { $0.middleware = middleware }
        try await client.send(Request<Void>.get("/x", headerFields: fields))
        #expect(server.requests.map(\.path) == ["/x", "/back"])
        return (try #require(other.requests.first), try #require(server.requests.last))
      }
    }
  }

  private static let basic = StandardMiddleware.basic(
    user: "Aladdin", password: "open sesame")
  private static let own = Request<Void>.get("/x", headerFields: [.authorization: "Bearer its-own"])

  private static let sending: [(any Middleware, Request<Void>, field: String, value: String)] = [
    (basic, .get("/x"), "Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    (
      StandardMiddleware.basic(user: "test", password: "123£"), .get("/x"),
      "Authorization", "Basic dGVzdDoxMjPCow=="
    ),
    (
      StandardMiddleware.bearer("mF_9.B5f-4.1JqM"), .get("/x"), "Authorization",
      "Bearer mF_9.B5f-4.1JqM"
    ),
    (StandardMiddleware.bearer("the-clients"), own, "Authorization", "Bearer its-own"),
    (
      StandardMiddleware.apiKey("k3y+/=", header: key), .get("/x"), "X-Api-Key",
      "k3y+/="
    ),
  ]

  @Test(arguments: TransportUnderTest.allCases, sending)
  func `credentials arrive in their field`(
    transport: TransportUnderTest,
    one: (middleware: any Middleware, request: Request<Void>, field: String, value: String)
  ) async throws {
    let request = try await sent(transport, [one.middleware], one.request)
    #expect(request.values(of: one.field) == [one.value])
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `key arrives in the query`(transport: TransportUnderTest) async throws {
    let request = try await sent(
      transport, [.apiKey("k3y+/=", query: "api_key")], .get("/x", query: ["page": 2]))
    #expect(request.target == "/x?page=2&api_key=k3y%2B%2F%3D")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `credentials are kept within an origin`(transport: TransportUnderTest) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: "/there"]))
      server.stub(.get, "/there", with: .text)
      let client = try transport.client(server) {
        $0.middleware = [.bearer("token"), .apiKey("k3y", header: Self.key)]
      }
      try await client.send(Request<Void>.get("/x"))
      #expect(server.requests.map { $0["Authorization"] } == ["Bearer token", "Bearer token"])
      #expect(server.requests.map { $0["X-Api-Key"] } == ["k3y", "k3y"])
    }
  }

  /// A redirect back to the origin comes from the other server, which the credentials are not for.
  @Test(
    arguments: TransportUnderTest.allCases,
    [
      basic, .bearer("token"), .apiKey("k3y", header: key),
      .apiKey("k3y", query: "api_key"),
    ] as [StandardMiddleware])
  func `credentials stay with their origin`(
    transport: TransportUnderTest, middleware: StandardMiddleware
  ) async throws {
    let fields: HTTPFields = [.proxyAuthorization: "Basic YTpi"]
    let (other, back) = try await redirected(transport, [middleware], fields)
    for request in [other, back] {
      #expect(request["Authorization"] == nil)
      #expect(request["X-Api-Key"] == nil)
    }
    #expect(other["Proxy-Authorization"] == nil)
    #expect(other.target == "/other")
    #expect(back.target == "/back")
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["http://u:p@127.0.0.1:1/", "//u:p@127.0.0.1:1/", "http://u@127.0.0.1:1/", "//:p@127.0.0.1/"])
  func `credentials in a location are refused`(
    transport: TransportUnderTest, location: String
  ) async throws {
    try await withFaultServer { server in
      server.stub(.get, "/x", with: .status(.found, [.location: location]))
      let error = try await transport.client(server).failure(of: Request<Void>.get("/x"))
      guard case .redirect(let failure) = error else { throw error }
      #expect(failure.reason == .malformedLocation)
      #expect(!"\(error)".contains("u:p@"))
    }
  }
}
