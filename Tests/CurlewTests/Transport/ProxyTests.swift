import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

/// The choice of a proxy for a URL.
struct ProxyTests {
  private func server(
    _ proxy: Proxy, for url: String = "https://api.example.com/x"
  ) throws -> String? {
    let base = try BaseURL(url)
    let request = OutgoingRequest(
      head: HTTPRequest(method: .get, scheme: base.scheme, authority: base.authority, path: "/x"),
      endpoint: Request<Void>.get("/x"))
    return try proxy.server(for: request).map { "\($0.host) \($0.port) \($0.authorization ?? "-")" }
  }

  @Test(arguments: [
    ("http://proxy.test:3128", "proxy.test 3128 -"), ("proxy.test:3128", "proxy.test 3128 -"),
    ("HTTP://Proxy.test", "proxy.test 1080 -"), ("http://proxy.test:80/", "proxy.test 80 -"),
    ("http://127.0.0.1:1?x#y", "127.0.0.1 1 -"), ("http://[::1]:3128", "::1 3128 -"),
    ("http://[::1]", "::1 1080 -"),
    ("http://me:s3cret@proxy.test:1", "proxy.test 1 Basic bWU6czNjcmV0"),
    ("me:s3cret@proxy.test:1", "proxy.test 1 Basic bWU6czNjcmV0"),
    ("http://me@proxy.test:1", "proxy.test 1 Basic bWU6"),
    ("http://m%65:a%40b%3a@proxy.test:1", "proxy.test 1 Basic bWU6YUBiOg=="),
    ("http://me:a@b@proxy.test:1", "proxy.test 1 Basic bWU6YUBi"),
  ])
  func `an address is read as curl reads it`(text: String, server: String) throws {
    for url in ["http://a.test", "https://a.test:8443"] {
      #expect(try self.server(Proxy(text), for: url) == server)
    }
  }

  @Test(arguments: [
    "", "http://", "http://proxy.test:0", "http://proxy.test:70000", "http://proxy test:1",
    "http://proxy.test:x", "socks5://proxy.test:1080", "https://proxy.test:443",
    "http://me:s3cret@", "http://me:s3cret@proxy.test:x", "http://me:s3%zzcret@proxy.test:1",
    "http://m%3ae:s3cret@proxy.test:1", "socks5h://me:s3cret@proxy.test", "me:s3cret@:1",
    "http://me:s3cret@ü..test",
  ])
  func `a malformed address is an error that masks it`(text: String) throws {
    let error = try #require(#expect(throws: URLParsingError.self) { try Proxy(text) })
    #expect("\(error)".contains("is not the address of a proxy: "))
    #expect(error.localizedDescription == "\(error)")
    #expect(!"\(error)".contains("cret") && !"\(error)".contains("me:"))
    #expect(error.text == text.replacing(/(me|m%3ae):.*@/, with: "***@"))
  }

  @Test func `texts mask the user and the password`() throws {
    let proxy = try Proxy("http://me-user:s3cret@proxy.test:1", except: "localhost")
    for text in [
      "\(proxy)", String(reflecting: proxy), "\(Mirror(reflecting: proxy).children.map(\.value))",
    ] {
      #expect(!text.contains("s3cret") && !text.contains("me-user"), "\(text)")
    }
    var dumped = ""
    dump(proxy, to: &dumped)
    #expect(!dumped.contains("s3cret"))
    #expect(
      "\(proxy)"
        == "Proxy(http: http://***@proxy.test:1, https: http://***@proxy.test:1, except: localhost)"
    )
    #expect("\(Proxy.none)" == "Proxy(none)")
  }

  @Test(
    arguments: [
      ([:], nil, nil),
      (["http_proxy": "a:1"], "a 1 -", nil), (["HTTP_PROXY": "a:1"], nil, nil),
      (["https_proxy": "a:1"], nil, "a 1 -"), (["HTTPS_PROXY": "a:1"], nil, "a 1 -"),
      (["https_proxy": "a:1", "HTTPS_PROXY": "b:1"], nil, "a 1 -"),
      (["https_proxy": "", "HTTPS_PROXY": "b:1"], nil, "b 1 -"),
      (["all_proxy": "a:1"], "a 1 -", "a 1 -"), (["ALL_PROXY": "a:1"], "a 1 -", "a 1 -"),
      (["ALL_PROXY": "a:1", "http_proxy": "b:1"], "b 1 -", "a 1 -"),
      (["ALL_PROXY": "a:1", "no_proxy": "example.com"], nil, nil),
      (["ALL_PROXY": "a:1", "NO_PROXY": "*"], nil, nil),
      (["ALL_PROXY": "a:1", "NO_PROXY": "*", "no_proxy": "b.test"], "a 1 -", "a 1 -"),
      (["ALL_PROXY": "a:1", "NO_PROXY": "example.com:443"], "a 1 -", nil),
    ] as [([String: String], String?, String?)])
  func `the environment is read as curl reads it`(
    variables: [String: String], http: String?, https: String?
  ) throws {
    let proxy = Proxy.environment(variables)
    #expect(try server(proxy, for: "http://api.example.com") == http)
    #expect(try server(proxy, for: "https://api.example.com") == https)
  }

  @Test func `a malformed variable is an error of its requests`() throws {
    let proxy = Proxy.environment([
      "https_proxy": "socks5://me:s3cret@proxy.test", "no_proxy": "localhost",
    ])
    let error = try #require(#expect(throws: Client.Error.self) { try server(proxy) })
    guard case .invalidRequest(let failure) = error else { throw error }
    #expect(
      failure.reason.hasPrefix(
        #"the environment's variable https_proxy is malformed: "socks5://***@proxy.test" is not"#))
    #expect(try server(proxy, for: "http://api.example.com") == nil)
    #expect(try server(proxy, for: "https://localhost") == nil)
  }

  @Test func `the exceptions hold for an address too`() throws {
    let proxy = try Proxy("http://proxy.test:1", except: "example.com, [::1]:8080")
    #expect(try server(proxy) == nil)
    #expect(try server(proxy, for: "http://[::1]:8080") == nil)
    #expect(try server(proxy, for: "http://[::1]:8081") == "proxy.test 1 -")
    #expect(try server(.none, for: "http://example.org") == nil)
    #expect(try server("http://proxy.test:1", for: "http://example.org") == "proxy.test 1 -")
  }
}
