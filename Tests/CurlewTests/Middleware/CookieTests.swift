import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CookieTests {
  private let stub = StubTransport()

  private func client(_ url: BaseURL, _ jar: CookieJar?) -> Client {
    Client(baseURL: url) {
      $0.transport = stub
      if let jar { $0.networkMiddleware = [.cookies(in: jar)] }
    }
  }

  /// Has a server set cookies, and returns what it is sent afterwards.
  private func cookies(
    setting fields: [String], at url: BaseURL = "https://www.example.com", path: Path = "/a/b",
    then next: BaseURL = "https://www.example.com", _ nextPath: Path = "/a/b"
  ) async throws -> String? {
    let jar = CookieJar()
    stub.stub(.get, "/**", with: .status(.ok, setting(fields)), .status(.ok))
    try await client(url, jar).send(Request<Void>.get(path))
    try await client(next, jar).send(Request<Void>.get(nextPath))
    return stub.requests.last?.head.headerFields[.cookie]
  }

  private func setting(_ cookies: [String]) -> HTTPFields {
    var fields = HTTPFields()
    for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
    return fields
  }

  @Test func withoutAJarThereAreNone() async throws {
    stub.stub(.get, "/**", with: .status(.ok, setting(["a=1"])), .status(.ok))
    let client = client("https://www.example.com", nil)
    for _ in 0..<2 { try await client.send(Request<Void>.get("/")) }
    #expect(stub.requests.allSatisfy { $0.head.headerFields[.cookie] == nil })
  }

  @Test func twoFieldsStayTwoCookies() async throws {
    let sent = try await cookies(setting: ["a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2"])
    #expect(sent == "a=1; b=2")
  }

  @Test func theLongerPathComesFirst() async throws {
    #expect(try await cookies(setting: ["a=1; Path=/", "b=2; Path=/a/b"]) == "b=2; a=1")
  }

  @Test func aCookieIsForItsPath() async throws {
    #expect(try await cookies(setting: ["a=1; Path=/x"]) == nil)
    #expect(
      try await cookies(setting: ["a=1; Path=/a/"], then: "https://www.example.com", "/ab") == nil)
    #expect(
      try await cookies(setting: ["a=1; Path=/a"], then: "https://www.example.com", "/ab") == nil)
    #expect(
      try await cookies(setting: ["a=1; Path=/a"], then: "https://www.example.com", "/a") == "a=1")
    #expect(try await cookies(setting: ["a=1"], then: "https://www.example.com", "/a/c") == "a=1")
    #expect(try await cookies(setting: ["a=1"], then: "https://www.example.com", "/c") == nil)
  }

  @Test func aCookieIsForItsHost() async throws {
    #expect(try await cookies(setting: ["a=1"], then: "https://api.example.com") == nil)
    #expect(
      try await cookies(setting: ["a=1; Domain=example.com"], then: "https://api.example.com")
        == "a=1")
    #expect(
      try await cookies(setting: ["a=1; Domain=example.com"], then: "https://badexample.com") == nil
    )
  }

  @Test(arguments: ["other.com", "api.example.com", "com", "w.example.com"])
  func aCookieForAForeignDomainIsRefused(domain: String) async throws {
    #expect(try await cookies(setting: ["a=1; Domain=\(domain)"]) == nil)
    let victim = BaseURL(stringLiteral: "https://\(domain)")
    #expect(try await cookies(setting: ["a=1; Domain=\(domain)"], then: victim) == nil)
  }

  @Test func aSecureCookieIsSentOverHTTPSOnly() async throws {
    #expect(try await cookies(setting: ["a=1; Secure"], then: "http://www.example.com") == nil)
    #expect(try await cookies(setting: ["a=1; Secure"]) == "a=1")
  }

  @Test func prefixesHoldWhatTheyPromise() async throws {
    #expect(try await cookies(setting: ["__Host-a=1; Secure; Path=/; Domain=example.com"]) == nil)
    #expect(try await cookies(setting: ["__Secure-a=1"]) == nil)
    #expect(try await cookies(setting: ["__Host-a=1; Secure; Path=/"]) == "__Host-a=1")
  }

  @Test func aNewOneReplacesItsOldOneAndAPastOneRemovesIt() async throws {
    #expect(try await cookies(setting: ["a=1", "a=2"]) == "a=2")
    #expect(try await cookies(setting: ["a=1", "a=; Max-Age=0"]) == nil)
  }

  @Test func aCookieEndsAtItsTime() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    let jar = CookieJar { now.withLock { $0 } }
    let client = client("https://www.example.com", jar)
    stub.stub(.get, "/**", with: .status(.ok, setting(["a=1; Max-Age=60"])), .status(.ok))
    try await client.send(Request<Void>.get("/"))
    now.withLock { $0 += 59 }
    try await client.send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == "a=1")
    now.withLock { $0 += 1 }
    try await client.send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
  }

  @Test func aRedirectSetsCookiesAndDoesNotCarryThemElsewhere() async throws {
    var fields = setting(["a=1; Path=/"])
    fields[.location] = "https://elsewhere.example/x"
    stub.stub(.get, "/start", with: .status(.found, fields))
    stub.stub(.get, "/x", with: .status(.ok))
    let jar = CookieJar()
    let client = client("https://www.example.com", jar)
    try await client.send(Request<Void>.get("/start"))
    #expect(jar.count == 1)
    #expect(stub.requests.last?.head.headerFields[.cookie] == nil)
    try await client.send(Request<Void>.get("/start"))
    #expect(stub.requests[2].head.headerFields[.cookie] == "a=1")
    #expect(stub.requests[3].head.headerFields[.cookie] == nil)
  }

  @Test func aJarIsBounded() async throws {
    let jar = CookieJar()
    let client = client("https://www.example.com", jar)
    stub.stub(.get, "/**", with: .status(.ok, setting((0..<60).map { "c\($0)=1" })))
    try await client.send(Request<Void>.get("/"))
    #expect(jar.count == 50)
  }

  @Test func aSecureCookieIsNotReplacedOverHTTP() async throws {
    let jar = CookieJar()
    stub.stub(
      .get, "/**", with: .status(.ok, setting(["a=1; Secure"])), .status(.ok, setting(["a=2"])),
      .status(.ok, setting(["b=3; Secure"])), .status(.ok))
    try await client("https://www.example.com", jar).send(Request<Void>.get("/"))
    try await client("http://www.example.com", jar).send(Request<Void>.get("/"))
    try await client("http://www.example.com", jar).send(Request<Void>.get("/"))
    try await client("https://www.example.com", jar).send(Request<Void>.get("/"))
    #expect(stub.requests.last?.head.headerFields[.cookie] == "a=1")
  }
}
