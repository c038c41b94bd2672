import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
  private let stub = StubTransport()
  private let client: Client

  init() {
    client = .stubbed(by: stub) { $0.middleware = [.bearer("s3cret-token")] }
    stub.stub(.get, "/**", with: .json("1"))
    stub.stub(.post, "/**", with: .json("1"))
    stub.stub(.put, "/**", with: .json("1"))
    stub.stub(.head, "/**", with: .status(.ok))
  }

  private func redirect(_ code: Int, _ method: HTTPRequest.Method = .get, to location: String) {
    let old = Request<Int>(method, "/old", decoding: .automatic)
    stub.stub(old, with: .status(.init(code: code), [.location: location]))
  }

  @Test(arguments: [
    (301, HTTPRequest.Method.post, HTTPRequest.Method.get, false),
    (302, .post, .get, false), (303, .post, .get, false), (303, .put, .get, false),
    (307, .post, .post, true), (308, .post, .post, true), (301, .put, .put, true),
    (302, .put, .put, true), (308, .put, .put, true),
  ])
  func `the method is rewritten where RFC9110 says so`(
    code: Int, method: HTTPRequest.Method, becomes: HTTPRequest.Method, keepsBody: Bool
  ) async throws {
    redirect(code, method, to: "/new")
    let endpoint = Request<Int>(
      method, "/old",
      headerFields: [
        .contentLanguage: "en", .contentDisposition: "inline", .expect: "100-continue",
        .lastModified: "Sun, 22 Nov 2026 10:00:00 GMT", .accept: "text/plain",
      ],
      body: .json([1]), decoding: .automatic)
    _ = try await client.send(endpoint)
    let last = try #require(stub.requests.last)
    #expect(last.head.method == becomes)
    #expect(last.head.path == "/new")
    #expect((last.body?.data == Data("[1]".utf8)) == keepsBody)
    #expect((last.body == nil) == !keepsBody)
    #expect((last.head.headerFields[.contentType] == "application/json") == keepsBody)
    for name: HTTPField.Name in [.contentLanguage, .contentDisposition, .expect, .lastModified] {
      #expect((last.head.headerFields[name] != nil) == keepsBody, "\(name)")
    }
    #expect(last.head.headerFields[.accept] == "text/plain")
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `get and head stay what they are`(code: Int) async throws {
    redirect(code, to: "/new")
    redirect(code, .head, to: "/new")
    _ = try await client.send(Request<Int>.get("/old"))
    try await client.send(Request<Void>.head("/old"))
    #expect(stub.requests.map(\.head.method) == [.get, .get, .head, .head])
  }

  @Test(arguments: [
    ("/new", "https://api.example.com/new"), ("new?x=1", "https://api.example.com/new?x=1"),
    ("?page=2", "https://api.example.com/old?page=2"), ("./a/../b", "https://api.example.com/b"),
    ("//other.example/x", "https://other.example/x"),
    ("https://other.example:8443", "https://other.example:8443/"),
    ("HTTPS://API.EXAMPLE.com:443/x#top", "https://api.example.com/x"),
    ("/a%20b/ü", "https://api.example.com/a%20b/%C3%BC"),
    ("/a b", "https://api.example.com/a%20b"),
  ])
  func `the location is resolved`(location: String, url: String) async throws {
    redirect(302, to: location)
    stub.stub(Request<Int>.get("/old", query: ["page": 2]), with: .json("1"))
    let response = try await client.response(for: Request<Int>.get("/old"))
    #expect(stub.requests.last?.url == url)
    #expect(response.url == url)
  }

  @Test(arguments: [
    "https://other.example/x", "https://api.example.com:8443/x", "https://api.example.com.evil.io/",
  ])
  func `credentials stay at their origin`(location: String) async throws {
    let apiKey: HTTPField.Name = "X-Api-Key"
    redirect(307, to: location)
    // Masking in texts does not decide which fields are credentials.
    let client = Client.stubbed(by: stub) {
      $0.middleware = [.bearer("s3cret-token")]
      $0.redaction.headerFields = [apiKey]
    }
    _ = try await client.send(
      Request<Int>.get(
        "/old",
        headerFields: [
          .cookie: "a=b", .proxyAuthorization: "Basic x", apiKey: "k", .acceptLanguage: "en",
          "Host": "internal.example",
        ]))
    let fields = try #require(stub.requests.last?.head.headerFields)
    #expect(fields[.authorization] == nil && fields[.cookie] == nil)
    #expect(fields[.proxyAuthorization] == nil && fields[apiKey] == nil)
    #expect(fields[.acceptLanguage] == "en")
    #expect(fields["Host"] == nil)
  }

  @Test func `credentials go along within an origin`() async throws {
    redirect(301, to: "https://API.example.com:443/new")
    _ = try await client.send(Request<Int>.get("/old"))
    #expect(stub.requests.last?.head.headerFields[.authorization] == "Bearer s3cret-token")
  }

  @Test func `credentials do not come back after a detour`() async throws {
    stub.stub(
      .get, "/old", with: .status(.found, [.location: "https://other.example/there"]))
    stub.stub(
      .get, "/there", with: .status(.found, [.location: "https://api.example.com/back"]))
    _ = try await client.send(Request<Int>.get("/old"))
    #expect(
      stub.requests.map { $0.head.headerFields[.authorization] }
        == ["Bearer s3cret-token", nil, nil])
  }

  @Test func `https never leads to HTTP`() async throws {
    redirect(301, to: "http://api.example.com/new")
    let error = await client.result(of: Request<Int>.get("/old")).failure
    #expect(error?.redirectFailure?.reason == .insecure)
    #expect(stub.requests.count == 1)
  }

  @Test func `http may lead to HTTPS`() async throws {
    redirect(301, to: "https://api.example.com/new")
    let client = Client.stubbed(by: stub, baseURL: "http://api.example.com")
    #expect(try await client.send(Request<Int>.get("/old")) == 1)
    #expect(stub.requests.last?.head.scheme == "https")
  }

  @Test(arguments: [
    "ftp://api.example.com/x", "javascript:alert(1)", "https://", "https://a b/",
    "file:///etc/passwd",
    "https://ann:hunter2@api.example.com/", "http://[", "https://api.example.com:0/",
    "https://api.example.com:99999999999999999999/",
  ])
  func `a location that is no place on the web is refused`(location: String) async throws {
    redirect(302, to: location)
    let error = await client.result(of: Request<Int>.get("/old")).failure
    #expect(error?.redirectFailure?.reason == .malformedLocation)
    #expect(!"\(error as Any)".contains("hunter2"))
    #expect(stub.requests.count == 1)
  }

  @Test func `a redirect without a location is a status`() async {
    stub.stub(.get, "/old", with: .status(.found))
    let error = await client.result(of: Request<Int>.get("/old")).failure
    #expect(error?.status == .found)
  }

  @Test func `ten redirects are followed and not eleven`() async throws {
    for step in 0..<11 {
      stub.stub(.get, "/\(step)", with: .status(.found, [.location: "/\(step + 1)"]))
    }
    let error = await client.result(of: Request<Int>.get("/0")).failure
    #expect(error?.redirectFailure?.reason == .tooMany(limit: 10))
    #expect(error?.request == "GET https://api.example.com/0")
    #expect(stub.requests.count == 11)
    #expect(try await client.send(Request<Int>.get("/1")) == 1)
  }

  @Test(arguments: [0, 3]) func `a loop ends`(limit: Int) async {
    redirect(302, to: "/old")
    let request = Request<Int>.get("/old").limits { $0.redirects = limit }
    let error = await client.result(of: request).failure
    #expect(error?.redirectFailure?.reason == .tooMany(limit: limit))
    #expect(stub.requests.count == limit + 1)
  }
}
