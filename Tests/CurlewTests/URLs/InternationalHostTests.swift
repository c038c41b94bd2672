import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// Internationalized domain names (RFC 5890, 5891): nextcloud/ios#305, swiftlang/swift-foundation#875,
/// owncloud/client#5048, curl/curl#1441, owncloud/client#2545, sagebind/isahc#315.
@Suite(.timeLimit(.minutes(1)))
struct InternationalHostTests {
  private let stub = StubTransport()

  /// Hosts, and the authorities that are sent.
  static let hosts = [
    // A label that begins with `xn--` is an ordinary label (RFC 5890 section 2.3.1), also if it can't be decoded.
    ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ("xn--bcher-kva.localhost:8080", "xn--bcher-kva.localhost:8080"),
    ("xn--e1afmkfd.xn--p1ai", "xn--e1afmkfd.xn--p1ai"),
    ("api.xn--strae-oqa.de", "api.xn--strae-oqa.de"),
    ("XN--Bcher-KVA.example:443", "xn--bcher-kva.example"),
    ("xn--a.example", "xn--a.example"), ("xn--.example", "xn--.example"), ("1.xn--1", "1.xn--1"),
    // Foundation converts Unicode as browsers do (UTS #46).
    ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"),
    ("b%C3%BCcher.example:8443", "xn--bcher-kva.example:8443"),
    ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("日本語。jp", "xn--wgv71a119e.jp"),
    ("faß.de", "xn--fa-hia.de"), ("ü", "xn--tda"), ("ａ.example", "a.example"),
    ("bu\u{308}cher.example", "xn--bcher-kva.example"),
  ]

  @Test(arguments: hosts)
  func `A host is sent in its ASCII form`(host: String, authority: String) async throws {
    #expect(try BaseURL("https://\(host)/v1").description == "https://\(authority)/v1")
    let reference = try URLReference("https://\(host)/a?b=ü")
    #expect(reference.text.lowercased().hasPrefix("https://\(authority)"))
    #expect(try URLReference("//\(host)/a").text.lowercased().hasPrefix("//\(authority)"))
    let client = Client.stubbed(by: stub, baseURL: "https://api.example.com")
    stub.stub(.get, "/**", with: .json("1"))
    _ = try await client.send(Request<Int>.get(.url(reference)))
    #expect(stub.requests.map(\.url) == ["https://\(authority)/a?b=%C3%BC"])
    #expect(URL(string: "https://\(authority)", encodingInvalidCharacters: false) != nil)
  }

  @Test(arguments: hosts)
  func `A redirect and a next page may have such a host`(host: String, authority: String)
    async throws
  {
    let client = Client.stubbed(by: stub, baseURL: "https://api.example.com")
    stub.stub(
      .get, "/from",
      with: .status(.found, [.location: "https://\(host)/items"]))
    stub.stub(
      .get, "/items",
      with: .text("[1]", ["Link": "<https://\(host)/last>; rel=next"]))
    stub.stub(.get, "/last", with: .json("[2]"))
    var numbers: [Int] = []
    for try await page in client.pages(of: Request<[Int]>.get("/from")) { numbers += page.value }
    #expect(numbers == [1, 2])
    #expect(
      stub.requests.map(\.url).dropFirst()
        == ["https://\(authority)/items", "https://\(authority)/last"])
  }

  @Test(arguments: hosts)
  func `A proxy may have such a host`(host: String, authority: String) throws {
    let proxy = try Proxy("http://\(host)")
    #expect("\(proxy)".contains(authority.prefix { $0 != ":" }))
    let name = String(authority.prefix { $0 != ":" })
    #expect(ProxyExceptions(String(host.prefix { $0 != ":" })).contains(host: name, port: 1))
  }

  /// Characters that end a host, also after their conversion (`℀` is `a/c`, `／` is `/`), are in no name.
  @Test(arguments: [
    "xn--bücher.example", "ü%2Fa.example", "℀.example", "ü／x.example", "ü＠evil.example",
    "ü：80", "ü..example", "\u{202E}a.example", "a\u{200D}b.example", "ü\u{0}.example",
    "ü%00.example", String(repeating: "ü", count: 70) + ".example",
    String(repeating: "ü.", count: 100) + "example", "ü b.example",
  ])
  func `A host without an ASCII form is refused`(host: String) throws {
    let base = #expect(throws: URLParsingError.self) { try BaseURL("https://\(host)/v1") }
    let reference = #expect(throws: URLParsingError.self) { try URLReference("https://\(host)/a") }
    let reason = "its host has no form in ASCII, such as xn--bcher-kva.example (RFC 5890)"
    #expect(base?.reason == reason && reference?.reason == reason)
  }

  @Test func `A literal with such a host is well-formed`() {
    let base: BaseURL = "https://xn--bcher-kva.example/v1"
    let reference: URLReference = "https://bücher.example/a"
    #expect(base.description == "https://xn--bcher-kva.example/v1")
    #expect(reference.text == "https://xn--bcher-kva.example/a")
  }

  @Test func `A cookie of a Unicode host is sent to its ASCII form`() async throws {
    let client = Client(baseURL: "https://bücher.example") {
      $0.transport = stub
      $0.networkMiddleware = [.cookies()]
    }
    stub.stub(
      .get, "/**",
      with: .text("1", ["Set-Cookie": "a=1; Domain=xn--bcher-kva.example"]))
    _ = try await client.send(Request<Int>.get("/"))
    let reference: URLReference = "https://www.xn--bcher-kva.example/"
    _ = try await client.send(Request<Int>.get(.url(reference)))
    #expect(stub.requests.last?.head.headerFields[.cookie] == "a=1")
  }
}
