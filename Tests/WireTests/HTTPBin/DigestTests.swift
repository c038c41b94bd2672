import Curlew
import CurlewDigest
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Digest authentication and gzip of request bodies against httpbin.
@Suite(
  "httpbin: digests", .enabled(if: HTTPBin.isPossible, "Python is not installed"), .httpBin,
  .timeLimit(.minutes(5)))
struct DigestTests {
  struct Echo: Decodable, Sendable {
    let data: String
    let headers: [String: String]
  }

  private func client(
    _ transport: TransportUnderTest, _ middleware: [StandardMiddleware]
  ) throws -> Client {
    let baseURL = try #require(HTTPBin.baseURL)
    return Client(baseURL: baseURL) {
      $0.transport = transport.transport
      // httpbin counts in a cookie how often a nonce may be used.
      $0.networkMiddleware = [.cookies()]
      $0.middleware = middleware
    }
  }

  @Test(
    arguments: TransportUnderTest.allCases,
    ["none", "auth"].flatMap { ["\($0)/user/passwd", "\($0)/user/passwd/SHA-256"] })
  func `credentials are taken or not`(transport: TransportUnderTest, kind: String) async throws {
    let endpoint = Request<Void>.get("/digest-auth/\(raw: kind)")
    let right = try client(transport, [.digestAuthentication(user: "user", password: "passwd")])
    for _ in 0..<3 { try await right.send(endpoint) }
    let wrong = try client(transport, [.digestAuthentication(user: "user", password: "wrong")])
    let error = try await wrong.failure(of: endpoint)
    #expect(error.status == .unauthorized)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `an unsupported algorithm leaves the challenge`(transport: TransportUnderTest) async throws {
    let client = try client(transport, [.digestAuthentication(user: "user", password: "passwd")])
    let error = try await client.failure(
      of: Request<Void>.get("/digest-auth/auth/user/passwd/SHA-512"))
    #expect(error.status == .unauthorized)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `a stale nonce is replaced`(transport: TransportUnderTest) async throws {
    let client = try client(transport, [.digestAuthentication(user: "user", password: "passwd")])
    for _ in 0..<5 {
      try await client.send(
        Request<Void>.get("/digest-auth/auth/user/passwd/SHA-256/2"))
    }
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `compressed bodies arrive`(transport: TransportUnderTest) async throws {
    let text = String(repeating: "Curlew ", count: 1_000)
    let echo = try await client(transport, [.gzip(), .contentDigest()]).send(
      Request<Echo>(
        .post, "/post", body: .data(Data(text.utf8), contentType: "text/plain"), decoding: .json))
    #expect(echo.headers["Content-Encoding"] == "gzip")
    #expect(echo.headers["Content-Digest"]?.hasPrefix("sha-256=:") == true)
    // httpbin returns binary data in Base64.
    #expect(echo.data.hasPrefix("data:application/octet-stream;base64,H4sI"))
  }
}
