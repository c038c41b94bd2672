import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BaseURLTests {
  @Test(arguments: [
    ("https://api.github.com", "https://api.github.com"),
    ("https://api.github.com/", "https://api.github.com"),
    ("HTTPS://API.GitHub.com", "https://api.github.com"),
    ("https://a.b:443", "https://a.b"), ("http://a.b:80/", "http://a.b"),
    ("http://a.b:443", "http://a.b:443"), ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
    ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
    ("https://a.b/api/v3//", "https://a.b/api/v3"), ("https://a.b/a%20b", "https://a.b/a%20b"),
    ("http://localhost", "http://localhost"),
  ])
  func `a good one is normalized`(text: String, normalized: String) throws {
    #expect(try BaseURL(text).description == normalized)
  }

  @Test(arguments: [
    "", " ", "api.github.com", "ftp://a.b", "https://", "https:///path", "https//a.b", "https:a.b",
    "https://a b.c", "https://a.b?x=1", "https://a.b#x", "https://a.b:0", "https://a.b:65536",
    "https://a.b:x", "https://a.b:99999999999999999999", "https://[::1",
    "file:///etc/passwd", "https://a.b/%zz", "https://a.b/a b", "http://a.b\r\nX: y", "https://%20",
    "mailto:x",
  ])
  func `a bad one is refused and quoted`(text: String) {
    let error = #expect(throws: URLParsingError.self) { try BaseURL(text) }
    #expect(error?.text == text)
    #expect(error?.description.hasPrefix("\"\(text)\" is not a base URL: ") == true)
    #expect(error?.localizedDescription == error?.description)
  }

  @Test(arguments: [
    "https://ann:hunter2@a.b", "https://hunter2@a.b/x", "https://ann:hunter2@a.b:0",
    "ann:hunter2@a.b", "https://ann:hun/hunter2@a.b", "https://ann:x?hunter2@a.b",
    "https//ann:hunter2@a.b", "https://a.b?api_key=hunter2",
  ])
  func `a password is refused and not shown`(text: String) {
    let error = #expect(throws: URLParsingError.self) { try BaseURL(text) }
    #expect(error.map { "\($0) \($0.localizedDescription)" }?.contains("hunter2") == false)
    #expect(error?.text.contains("a.b") == true)
  }

  @Test func `the path is put before each endpoints`() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/**", with: .json("1"))
    let client = Client.stubbed(by: stub, baseURL: "https://example.com:8443/api/v3/")
    _ = try await client.send(Request<Int>.get("/repos/x", query: ["a": 1]))
    _ = try await client.send(Request<Int>.get("/"))
    #expect(
      stub.requests.map(\.url) == [
        "https://example.com:8443/api/v3/repos/x?a=1", "https://example.com:8443/api/v3/",
      ])
    #expect(stub.requests.first?.head.authority == "example.com:8443")
  }

  @Test func `a malformed literal is a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = "api.github.com" as BaseURL
    }
  }
}
