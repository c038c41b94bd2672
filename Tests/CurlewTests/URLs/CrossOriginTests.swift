import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// The client's credentials are sent only to the origin of its base URL.
@Suite(.timeLimit(.minutes(1)))
struct CrossOriginTests {
  private static let key = "X-App" as HTTPField.Name
  private static let here = "https://api.example.com"

  private let stub = StubTransport()

  init() {
    stub.stub(.get, "/**", with: .json("1"))
    stub.stub(.post, "/token", with: .json(#""fresh""#))
  }

  /// An app's middleware that does not check origins.
  private static let signing = FunctionMiddleware { request, next throws(Client.Error) in
    var request = request
    request.head.headerFields[.authorization] = "Signature s3cret"
    return try await next(request)
  }

  /// The ways in which a client sends a credential.
  enum Credential: CaseIterable {
    case bearer, basic, refreshed, headerKey, queryKey, headerFields, configuration, cookie, own
  }

  private func client(_ credential: Credential, baseURL: BaseURL = "https://api.example.com")
    -> Client
  {
    .stubbed(by: stub, baseURL: baseURL) {
      switch credential {
      case .bearer: $0.middleware = [.bearer("s3cret")]
      case .basic: $0.middleware = [.basic(user: "ann", password: "s3cret")]
      case .refreshed:
        let auth = Client(baseURL: "https://auth.example.com") { $0.transport = stub }
        $0.middleware = [
          .bearer(BearerToken(access: Sensitive("s3cret"))) { _ in
            BearerToken(
              access: Sensitive(
                try await auth.send(Request<String>(.post, "/token", decoding: .json))))
          }
        ]
      case .headerKey: $0.middleware = [.apiKey("s3cret", header: Self.key)]
      case .queryKey: $0.middleware = [.apiKey("s3cret", query: "app")]
      case .headerFields: $0.middleware = [.headerFields([.proxyAuthorization: "s3cret"])]
      case .configuration:
        $0.headerFields[.authorization] = "Bearer s3cret"
        $0.headerFields[Self.key] = "s3cret"
        $0.redaction.headerFields.insert(Self.key)
      case .cookie: $0.headerFields[.cookie] = "sid=s3cret"
      case .own: $0.middleware = [Self.signing]
      }
    }
  }

  /// Returns the requests to a server as text, with the middlewares' additions.
  private func sent() -> [String] {
    stub.requests.filter { $0.head.path != "/token" }.map { request in
      "\(request.url)\n"
        + request.head.headerFields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
  }

  private func hasCredential(_ request: String) -> Bool {
    ["s3cret", "fresh", "Basic"].contains { request.contains($0) }
  }

  @Test(
    arguments: Credential.allCases,
    [
      "https://other.example/x", "http://api.example.com/x", "https://api.example.com:8443/x",
      "//other.example/x", "https://api.example.com.evil.example/x",
    ])
  func `other origins get no credentials`(_ credential: Credential, url: String) async throws {
    let request = Request<Int>.get(.url(try URLReference(url)))
    #expect(try await client(credential).send(request) == 1)
    #expect(sent().map(hasCredential) == [false])
    #expect(sent().first?.contains("Accept: ") == true)
    stub.stub(.get, "/**", with: .status(.unauthorized))
    #expect(await client(credential).result(of: request).failure?.status == .unauthorized)
    #expect(stub.requests.count == 2, "No token was requested.")
    #expect(stub.requests.first?.isCrossOrigin == true)
  }

  @Test(
    arguments: Credential.allCases,
    ["https://API.example.com:443/x?y", "/x", "//api.example.com/x"])
  func `the same origin gets all credentials`(_ credential: Credential, url: String) async throws {
    let request = Request<Int>.get(.url(try URLReference(url)))
    #expect(try await client(credential).send(request) == 1)
    #expect(sent().map(hasCredential) == [true])
    #expect(stub.requests.last?.isCrossOrigin == false)
  }

  @Test(arguments: Credential.allCases)
  func `redirects back and forth get no credentials`(_ credential: Credential) async throws {
    stub.stub(.get, "/out", with: .status(.found, [.location: "https://api.example.com/in"]))
    stub.stub(.get, "/in", with: .status(.found, [.location: "https://other.example/x"]))
    let request = Request<Int>.get(.url("https://other.example/out"))
    #expect(try await client(credential).send(request) == 1)
    #expect(sent().map(hasCredential) == [false, false, false])
  }

  @Test(arguments: Credential.allCases)
  func `a redirect from the base URL keeps them`(_ credential: Credential) async throws {
    stub.stub(.get, "/in", with: .status(.found, [.location: "/on"]))
    stub.stub(.get, "/on", with: .status(.found, [.location: "https://other.example/x"]))
    let request = Request<Int>.get(.url("https://api.example.com/in"))
    #expect(try await client(credential).send(request) == 1)
    // A key in the query is sent with the first request only.
    #expect(sent().map(hasCredential) == [true, credential != .queryKey, false])
  }

  @Test(arguments: Credential.allCases)
  func `an HTTP base URL does not trust HTTPS`(_ credential: Credential) async throws {
    let client = client(credential, baseURL: "http://api.example.com")
    #expect(try await client.send(Request<Int>.get(.url("https://api.example.com/x"))) == 1)
    #expect(sent().map(hasCredential) == [false])
  }

  @Test func `what the endpoint sets is sent anywhere`() async throws {
    let fields: HTTPFields = [.authorization: "Own a", .cookie: "b=c", Self.key: "d"]
    let request = Request<Int>.get(.url("https://other.example/x"), headerFields: fields)
    for credential in [Credential.bearer, .refreshed, .headerKey, .own, .configuration] {
      #expect(try await client(credential).send(request) == 1)
    }
    for request in stub.requests {
      for field in fields { #expect(request.head.headerFields[field.name] == field.value) }
    }
    #expect(stub.requests.count == 5)
  }

  @Test func `a link is resolved against its response`() async throws {
    let client = client(.bearer)
    stub.stub(.get, "/a/**", with: .text("1", ["Link": "<b?sig=s1gnature>; rel=next"]))
    let here = try await client.response(for: Request<Int>.get("/a/x"))
    let next = try here.url(of: try #require(here.head.headerFields.links.next))
    #expect(next.text == "https://api.example.com/a/b?sig=s1gnature")
    #expect("\(next)" == "https://api.example.com/a/b?sig=***")
    #expect(throws: URLParsingError.self) {
      try here.url(of: WebLink("ftp://a.example", relations: []))
    }
    _ = try await client.send(Request<Int>.get(.url(next)))

    let there = try await client.response(for: Request<Int>.get(.url("https://other.example/a/x")))
    for target in ["y", "https://api.example.com/a/z"] {
      let url = try there.url(of: WebLink(target, relations: ["next"]))
      _ = try await client.send(Request<Int>.get(.url(url)))
    }
    #expect(
      stub.requests.map(\.url) == [
        "https://api.example.com/a/x", next.text, "https://other.example/a/x",
        "https://other.example/a/y", "https://api.example.com/a/z",
      ])
    #expect(sent().map(hasCredential) == [true, true, false, false, false])
  }

  @Test func `a link from elsewhere shares no transfer`() async throws {
    let client = Client.stubbed(by: stub) { $0.middleware = [.coalescing, .bearer("s3cret")] }
    let there = try await client.response(for: Request<Int>.get(.url("https://other.example/x")))
    let back = try there.url(of: WebLink("https://api.example.com/y", relations: ["next"]))
    let gate = stub.hold(.get, "/y")
    async let one = client.send(Request<Int>.get("/y"))
    await gate.waitForRequests(1)
    async let other = client.send(Request<Int>.get(.url(back)))
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("1"))
    #expect(try await [one, other] == [1, 1])
    #expect(sent().map(hasCredential) == [false, true, false])
  }

  @Test func `cookies follow their own rules`() async throws {
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.cookies()] }
    stub.stub(.get, "/set", with: .status(.ok, [.setCookie: "sid=1"]))
    try await client.send(Request<Void>.get(.url("https://other.example/set")))
    try await client.send(Request<Void>.get("/x"))
    try await client.send(Request<Void>.get(.url("https://other.example/x")))
    #expect(stub.requests.map { $0.head.headerFields[.cookie] } == [nil, nil, "sid=1"])
  }

  @Test func `retries get no credentials either`() async throws {
    var policy = RetryPolicy()
    policy.baseDelay = .zero
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.retrying(policy), .bearer("s3cret"), .apiKey("s3cret", query: "app")]
    }
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("1"))
    #expect(try await client.send(Request<Int>.get(.url("https://other.example/x"))) == 1)
    #expect(sent().map(hasCredential) == [false, false])
  }
}
