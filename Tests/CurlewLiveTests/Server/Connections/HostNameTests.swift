import CurlewLive
import NIOHTTP1
import Testing

/// A server's host names, and which of them a request is for.
struct HostNameTests {
  @Test(arguments: [
    "localhost", "LOCALHOST", "localhost.", "localhost:80", "localhost.:65535", "Localhost:0",
    "localhost:",
  ])
  func `name is read without case dot and port`(text: String) throws {
    #expect(try #require(Authority(text)).host == .name("localhost"))
  }

  @Test(arguments: ["[::1]", "[::1]:80", "[0:0:0:0:0:0:0:1]", "[0::1]:"])
  func `spellings of an IPv6 address are one`(text: String) throws {
    #expect(try #require(Authority(text)).host == .ipv6(#require(IPAddress("::1"))))
  }

  @Test func `port is read`() {
    #expect(Authority("birds.example:8080")?.port == 8080)
    #expect(Authority("[::1]:00080")?.port == 80)
    #expect(Authority("birds.example")?.port == nil)
  }

  @Test(arguments: [
    "", ".", ":", ":80", "127.0.0.1:8091@evil.example", "localhost@evil.example", "a:1@localhost",
    "@localhost", "localhost:65536", "localhost:99999999999999999999", "localhost:+80",
    "localhost:-1", "localhost:8a", "localhost: 80", "localhost:80:80", "localhost:\u{663}",
    "localhost\u{301}", "localhost,evil", "localhost evil", "localhost/", "localhost\\",
    "localhost?", "localhost#", "%6cocalhost", "caf\u{E9}", "::1", "[::1", "::1]", "[::1]x",
    "[::1]]", "[[::1]]", "[]", "[::1%25lo]", "[::1%lo]", "[127.0.0.1]", "[v1.x]", "[localhost]",
    "[::1]@evil.example",
    "[::1\u{0}]", "localhost\u{0}",
  ])
  func `anything else is no authority`(text: String) {
    #expect(Authority(text) == nil)
  }

  private func refusal(
    of target: String, _ hosts: [String], by names: [String]?, _ method: HTTPMethod = .GET,
    version: HTTPVersion = .http1_1
  ) -> ServerNames.Failure? {
    let headers = HTTPHeaders(hosts.map { ("Host", $0) })
    return ServerNames(names).refusal(
      of: HTTPRequestHead(version: version, method: method, uri: target, headers: headers))
  }

  @Test(arguments: [
    ("/", "localhost:8091"), ("/", "[::1]"), ("*", "LOCALHOST"), ("//evil.example/", "localhost"),
    ("http://localhost/", "localhost"), ("HTTP://LOCALHOST.:80?q", "localhost:80"),
    ("https://[::1]#x", "[0::1]"), ("/http://evil.example/", "localhost"),
  ])
  func `request for the server is let in`(target: String, host: String) {
    #expect(refusal(of: target, [host], by: ["Localhost.", "::1"]) == nil)
    #expect(refusal(of: target, [host], by: ["LOCALHOST", "[0::1]"]) == nil)
    #expect(refusal(of: target, [host], by: nil) == nil)
  }

  @Test(arguments: [
    ("/", "evil.example"), ("http://evil.example/", "evil.example"),
    ("/", "localhost.evil.example"), ("/", "127.0.0.1"), ("/", "[::2]"), ("/", "localhost.."),
  ])
  func `request for another server is misdirected`(target: String, host: String) {
    #expect(refusal(of: target, [host], by: ["localhost", "::1"]) == .misdirected)
    #expect(refusal(of: target, [host], by: nil) == nil)
  }

  @Test(arguments: [
    ("/", []), ("/", ["localhost", "localhost"]), ("/", [""]), ("/", ["localhost@evil.example"]),
    ("http://evil.example/", ["localhost"]), ("http://localhost/", ["evil.example"]),
    ("http://localhost/", ["localhost:81"]), ("http://localhost/", []),
    ("http://evil@localhost/", ["localhost"]), ("http://localhost@evil/", ["localhost"]),
    ("http://localhost\\@evil/", ["localhost"]), ("http:///", ["localhost"]),
    ("ftp://localhost/", ["localhost"]), ("localhost:80", ["localhost:80"]), ("", ["localhost"]),
    ("?q", ["localhost"]), ("http:/x", ["localhost"]),
  ])
  func `request that names no one server is refused`(target: String, hosts: [String]) {
    #expect(refusal(of: target, hosts, by: ["localhost"]) == .malformed)
    #expect(refusal(of: target, hosts, by: nil) == .malformed)
  }

  @Test func `target of CONNECT is an authority`() {
    func refusal(_ target: String, _ host: String) -> ServerNames.Failure? {
      self.refusal(of: target, [host], by: ["localhost"], .CONNECT)
    }
    #expect(refusal("localhost:443", "localhost:443") == nil)
    #expect(refusal("localhost:443", "localhost") == .malformed)
    #expect(refusal("evil.example:443", "evil.example:443") == .misdirected)
    #expect(refusal("evil.example:443", "localhost:443") == .malformed)
  }

  @Test func `old client needs a host only where there are names`() {
    #expect(refusal(of: "/", [], by: nil, version: .http1_0) == nil)
    #expect(refusal(of: "/", [], by: ["localhost"], version: .http1_0) == .misdirected)
    #expect(refusal(of: "/", ["a", "a"], by: nil, version: .http1_0) == .malformed)
  }

  @Test func `what is no name names nobody`() {
    let names = ["http://localhost", "localhost:80"]
    #expect(refusal(of: "/", ["localhost"], by: names) == .misdirected)
  }
}
