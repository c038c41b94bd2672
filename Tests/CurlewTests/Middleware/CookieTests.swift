import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct CookieTests {
  private let stub = StubTransport()

  private func client(_ url: BaseURL, _ jar: CookieJar?) -> Client {
    Client(baseURL: url) {
      $0.transport = stub
      if let jar { $0.networkMiddleware = [.cookies(in: jar)] }
    }
  }

  /// Lets a server set cookies, and returns the Cookie field of the next request.
  private func cookies(
    setting fields: [String], then next: BaseURL = www, _ nextPath: Path = "/a/b"
  ) async throws -> String? {
    let jar = CookieJar()
    stub.stub(.get, "/**", with: .status(.ok, setting(fields)), .status(.ok))
    try await client(Self.www, jar).send(Request<Void>.get("/a/b"))
    // Without a jar, no cookies are sent.
    try await client(next, nil).send(Request<Void>.get(nextPath))
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
    try await client(next, jar).send(Request<Void>.get(nextPath))
    return stub.requests.last?.head.headerFields[.cookie]
  }

  private func setting(_ cookies: [String]) -> HTTPFields {
    var fields = HTTPFields()
    fields[values: .setCookie] = cookies
    return fields
  }

  private static let www: BaseURL = "https://www.example.com"

  @Test(
    arguments: [
      (["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"], www, "/a/b", "a=1; b=2"),
      // The longer path comes first.
      (["a=1; Path=/", "b=2; Path=/a/b"], www, "/a/b", "b=2; a=1"),
      (["a=1; Path=/x"], www, "/a/b", nil), (["a=1; Path=/a/"], www, "/ab", nil),
      (["a=1; Path=/a"], www, "/ab", nil), (["a=1; Path=/a"], www, "/a", "a=1"),
      (["a=1"], www, "/a/c", "a=1"), (["a=1"], www, "/c", nil),
      (["a=1"], "https://api.example.com", "/a/b", nil),
      (["a=1; Domain=example.com"], "https://api.example.com", "/a/b", "a=1"),
      (["a=1; Domain=example.com"], "https://badexample.com", "/a/b", nil),
      (["a=1; Secure"], "http://www.example.com", "/a/b", nil),
      (["a=1; Secure"], www, "/a/b", "a=1"),
      // Cookie name prefixes are enforced.
      (["__Host-a=1; Secure; Path=/; Domain=example.com"], www, "/a/b", nil),
      (["__Secure-a=1"], www, "/a/b", nil),
      (["__Host-a=1; Secure; Path=/"], www, "/a/b", "__Host-a=1"),
      // A new cookie replaces an old cookie, and an expired cookie removes it.
      (["a=1", "a=2"], www, "/a/b", "a=2"), (["a=1", "a=; Max-Age=0"], www, "/a/b", nil),
      // A replaced cookie keeps its time of creation (RFC 6265 section 5.3 step 11; curl/curl#2524).
      (["a=1", "b=1", "c=1", "a=2"], www, "/a/b", "a=2; b=1; c=1"),
      (["a=1", "b=1", "c=1", "b=2", "c=2"], www, "/a/b", "a=1; b=2; c=2"),
      (["a=1", "b=1", "a=; Max-Age=0", "a=3"], www, "/a/b", "b=1; a=3"),
      (["a=1", "b=1", "a=2; Path=/a/b"], www, "/a/b", "a=2; a=1; b=1"),
      (["a=1; Max-Age=9", "b=1", "a=2"], www, "/a/b", "a=2; b=1"),
      // A cookie without a name (RFC 6265bis section 5.8.3).
      (["token"], www, "/a/b", "token"), (["=token", "a=1"], www, "/a/b", "token; a=1"),
      (["token", "=other"], www, "/a/b", "other"), (["__Host-a"], www, "/a/b", nil),
      (["=__Secure-a; Secure"], www, "/a/b", nil),
      (["=__HOST-a=b; Secure; Path=/"], www, "/a/b", nil),
    ] as [([String], BaseURL, String, String?)])
  func `a cookie is for its host path and scheme`(
    fields: [String], next: BaseURL, path: String, sent: String?
  ) async throws {
    #expect(try await cookies(setting: fields, then: next, "\(raw: path)") == sent)
  }

  @Test(arguments: ["other.com", "api.example.com", "com", "w.example.com"])
  func `a cookie for a foreign domain is refused`(domain: String) async throws {
    #expect(try await cookies(setting: ["a=1; Domain=\(domain)"]) == nil)
    let victim = BaseURL(stringLiteral: "https://\(domain)")
    #expect(try await cookies(setting: ["a=1; Domain=\(domain)"], then: victim) == nil)
  }

  /// aio-libs/aiohttp#5571, curl/curl#6733, psf/requests#6542; RFC 6265bis section 5.7 leaves it to the user agent, and
  /// W3C's Secure Contexts (section 3.1) list these hosts.
  @Test(
    arguments: [
      ("http://localhost:8080", true), ("http://LOCALHOST", true), ("http://api.localhost", true),
      ("http://127.0.0.1:3000", true), ("http://127.255.0.9", true), ("http://[::1]:8080", true),
      ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
      ("http://notlocalhost", false), ("http://128.0.0.1", false), ("http://10.127.0.1", false),
      ("http://[::2]", false), ("http://127.evil.example", false),
    ] as [(BaseURL, Bool)])
  func `a secure cookie is for https and this machine`(url: BaseURL, isSent: Bool) async throws {
    let jar = CookieJar()
    stub.stub(
      .get, "/**", with: .status(.ok, setting(["a=1; Path=/; SameSite=None; Secure"])), .status(.ok)
    )
    for _ in 0..<2 { try await client(url, jar).send(Request<Void>.get("/")) }
    #expect(stub.requests.last?.head.headerFields[.cookie] == (isSent ? "a=1" : nil))
  }

  @Test func `a cookie ends at its time`() async throws {
    let date = TestDate()
    let jar = CookieJar { date.now }
    let client = client(Self.www, jar)
    stub.stub(.get, "/**", with: .status(.ok, setting(["a=1; Max-Age=60"])), .status(.ok))
    try await client.send(Request<Void>.get("/"))
    date.advance(by: 59)
    try await client.send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == "a=1")
    date.advance(by: 1)
    try await client.send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test func `a redirect sets cookies and does not carry them elsewhere`() async throws {
    var fields = setting(["a=1; Path=/"])
    fields[.location] = "https://elsewhere.example/x"
    stub.stub(.get, "/start", with: .status(.found, fields))
    stub.stub(.get, "/x", with: .status(.ok))
    let jar = CookieJar()
    let client = client(Self.www, jar)
    try await client.send(Request<Void>.get("/start"))
    #expect(jar.count == 1)
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
    try await client.send(Request<Void>.get("/start"))
    #expect(stub.requests[2].head.headerFields[.cookie] == "a=1")
    #expect(stub.requests[3].head.headerFields[.cookie] == nil)
  }

  @Test func `a jar is bounded`() async throws {
    let jar = CookieJar()
    let client = client(Self.www, jar)
    stub.stub(.get, "/**", with: .status(.ok, setting((0..<60).map { "c\($0)=1" })))
    try await client.send(Request<Void>.get("/"))
    #expect(jar.count == 50)
  }

  @Test func `a secure cookie is not replaced over HTTP`() async throws {
    let jar = CookieJar()
    stub.stub(
      .get, "/**", with: .status(.ok, setting(["a=1; Secure"])), .status(.ok, setting(["a=2"])),
      .status(.ok, setting(["b=3; Secure"])), .status(.ok))
    try await client(Self.www, jar).send(Request<Void>.get("/"))
    try await client("http://www.example.com", jar).send(Request<Void>.get("/"))
    try await client("http://www.example.com", jar).send(Request<Void>.get("/"))
    try await client(Self.www, jar).send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == "a=1")
  }
}
