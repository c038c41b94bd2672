import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PathTests {
  private var (stub, client) = stubAndClient()

  @Test(arguments: [
    ("a/b", "a%2Fb"), ("?", "%3F"), ("#", "%23"), ("a b", "a%20b"), ("%2F", "%252F"),
    ("%2e%2e", "%252e%252e"), ("ü", "%C3%BC"), ("日本", "%E6%97%A5%E6%9C%AC"), ("👩‍👩‍👧", nil),
    ("\n", "%0A"), ("\u{0}", "%00"), ("\r\nHost: evil", "%0D%0AHost%3A%20evil"), ("\\", "%5C"),
    (";v=1", "%3Bv%3D1"), ("a:b@c", "a%3Ab%40c"), ("+", "%2B"), ("swift-5.1_x~", "swift-5.1_x~"),
    ("...", "%2E%2E%2E"), (".git", ".git"), ("a..b", "a..b"),
  ])
  func `a value is one segment`(value: String, encoded: String?) async throws {
    let path: Path = "/repos/\(value)/issues"
    let segments = path.description.split(separator: "/", omittingEmptySubsequences: false)
    #expect(segments.count == 4)
    #expect(segments[2].removingPercentEncoding == value)
    if let encoded { #expect(segments[2] == encoded) }
    // The path is sent unchanged.
    stub.stub(.get, "/**", with: .json("1"))
    _ = try await client.send(Request<Int>.get(path))
    #expect(stub.requests.first?.head.path == path.description)
  }

  @Test func `no character leaves its segment`() {
    for code in 0...0x2FF {
      guard let scalar = Unicode.Scalar(code) else { continue }
      let value = "x" + String(scalar)
      let path: Path = "/a/\(value)/z"
      let segments = path.description.split(separator: "/", omittingEmptySubsequences: false)
      #expect(segments.count == 4 && segments[2].removingPercentEncoding == value, "U+\(code)")
      #expect(
        path.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 })
    }
  }

  @Test(arguments: [".", "..", ""])
  func `a value that servers drop is refused`(value: String) async {
    for path: Path in ["/repos/\(value)/issues", "/repos/\(value)", "/\(value)/x"] {
      let error = await client.result(of: Request<Int>.get(path)).failure
      #expect(error?.invalidRequest?.reason.contains("\"\(value)\"") == true, "\(path)")
    }
    #expect(stub.requests.isEmpty)
  }

  @Test func `values that make dots together are refused`() async {
    let dot = "."
    let empty = ""
    let paths: [Path] = [
      "/repos/\(dot)\(dot)/x", "/repos/\(dot)\(empty)", "/repos/\(empty)\("..")/x",
      "/repos/.\(dot)/x", "/repos/\(dot)./x", "/repos/\(dot)\(raw: ".")/x",
      "/repos/\(dot)\(raw: "%2e")",
    ]
    for path in paths {
      let error = await client.result(of: Request<Int>.get(path)).failure
      #expect(error?.invalidRequest != nil, "\(path)")
    }
  }

  @Test func `parts of a segment may be empty or dots`() async throws {
    stub.stub(.get, "/**", with: .json("1"))
    let empty = ""
    let dots = ".."
    let paths: [Path] = ["/v\(empty)/x", "/main\(dots)topic", "/\(dots)\("x")", "/\(empty)x"]
    for path in paths { _ = try await client.send(Request<Int>.get(path)) }
    let sent = stub.requests.map { $0.head.path?.removingPercentEncoding }
    #expect(sent == ["/v/x", "/main..topic", "/..x", "/x"])
  }

  @Test func `raw text may hold segments`() {
    let file = "docs/read me?#%20ü.md"
    let path: Path = "/contents/\(raw: file)"
    #expect(path.description == "/contents/docs/read%20me%3F%23%20%C3%BC.md")
  }

  @Test func `literal text is made a path`() {
    #expect(("repos" as Path).description == "/repos")
    #expect(("" as Path).description == "/")
    #expect(("/a b/ü/100%/%41" as Path).description == "/a%20b/%C3%BC/100%25/%41")
    #expect(("/us/rss/limit=25/json" as Path).description == "/us/rss/limit=25/json")
    #expect("/issues/\(7)" == ("/issues/7" as Path))
  }

  @Test func `a query in literal text is a programmer's error`() async {
    await #expect(processExitsWith: .failure) {
      _ = "/search?q=1" as Path
    }
  }
}
