import CurlewLive
import CurlewScreens
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PlaceTests {
  @Test func `the path's parameters reach the screen before the query`() async throws {
    try await site(ShelfPage()).test(.router) { client in
      let page = try await client.execute(uri: "/shelves/a%20b?sort=size&name=x", method: .get)

      #expect(page.status == .ok)
      #expect(page.text.contains("<p>a b by size</p>"))
      #expect(page.text.contains(#"data-live="/shelves/a%20b""#))
    }
  }

  @Test(arguments: ["/shelves/nowhere", "/shelves", "/shelves/a/b", "/shelves/%FF"])
  func `an address of no place is not found`(address: String) async throws {
    try await site(ShelfPage()).test(.router) { client in
      let page = try await client.execute(uri: address, method: .get)
      #expect(page.status == .notFound)
    }
  }

  @Test func `where a screen goes is told after its state`() async throws {
    try await withServer(ShelfPage()) { visitor in
      let (stream, session) = try await visitor.connect(
        address: "/shelves/old", path: "/shelves/old")
      _ = try await stream.state { $0.url == "/shelves/old" }
      try await visitor.act("go", "next", in: session, path: "/shelves/old")

      var names: [String] = []
      while let event = try await stream.next() {
        names.append(event.name)
        guard event.name == "go" else { continue }
        #expect(event.data == "/shelves/next")
        break
      }
      #expect(names.contains("state"))
    }
  }

  @Test func `a page that is elsewhere now leads there`() async throws {
    try await site(ShelfPage()).test(.router) { client in
      let page = try await client.execute(uri: "/shelves/moved", method: .get)

      #expect(page.status == .seeOther)
      #expect(page.headers[.location] == "/shelves/new")
    }
  }

  @Test func `the back button leads to places of the page only`() async throws {
    try await withServer(ShelfPage()) { visitor in
      let (stream, session) = try await visitor.connect(
        address: "/shelves/old", path: "/shelves/old")
      let others = ["/notes?q=1", "/shelves/nowhere", "https://example.com/"]
      for (number, address) in others.enumerated() {
        let status = try await visitor.act(
          "live:navigate", address, in: session, number: number + 1, path: "/shelves/old")
        #expect(status == 400, "\(address)")
      }
      let status = try await visitor.act(
        "live:navigate", "/shelves/new", in: session, number: 9, path: "/shelves/old")
      #expect(status == 204)
      _ = try await stream.state { $0.url == "/shelves/new" }
    }
  }

  @Test(arguments: ["a\rb", "a\nevent: go\ndata: //evil.example", "a\r\nSet-Cookie: a=b"])
  func `line break in a route's address is encoded`(name: String) async throws {
    try await withServer(ShelfPage()) { visitor in
      let (stream, session) = try await visitor.connect(
        address: "/shelves/old", path: "/shelves/old")
      try await visitor.act("go", name, in: session, path: "/shelves/old")
      var event: EventStream.Event?
      repeat { event = try await stream.next() } while event != nil && event?.name != "go"
      let encoded = name.replacing(/\r\n/, with: "%0D%0A").replacing("\r", with: "%0D")
        .replacing("\n", with: "%0A")
      #expect(event?.data == "/shelves/\(encoded)")
    }
  }

  @Test(arguments: [
    ("//notes?q=a", "/notes?q=a"), ("///notes", "/notes"), (#"//\notes"#, "/notes"),
    (#"/\\notes"#, "/notes"), ("//" + #"\\"# + "notes", "/notes"),
  ])
  func `path that looks like a host leads to the page`(uri: String, address: String) async throws {
    try await site(SegmentPage()).test(.live) { client in
      let wire = try await Wire(port: client.port ?? 0)
      try await wire.send("GET \(uri) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let response = try await wire.read().lowercased()
      #expect(response.hasPrefix("http/1.1 301 "))
      #expect(response.contains("location: \(address)\r\n"))
    }
  }

  /// A page for any path of one segment.
  private struct SegmentPage: LivePage {
    let path = "/{name}"
    let screen = Shelves()

    func events(for query: LiveQuery, in state: String) -> [Shelves.Event] { [] }
    func event(for action: LiveAction) -> Shelves.Event? { nil }
    func address(of state: String) -> LiveAddress { LiveAddress(path: "/\(state)") }
    func title(of state: String) -> String { "" }
    func render(_ state: String, _ activity: ScreenActivity) -> HTML { HTML(text: state) }
  }

  @Test func `media may come from origins that are named`() async throws {
    let router = Router()
    router.add(
      ShelfPage(), images: ["https://images.example.com"],
      media: ["https://video.example", "blob:"], frames: ["https://maps.example"]
    ) { $0.content }
    try await Application(router: router).test(.router) { client in
      let page = try await client.execute(uri: "/shelves/a", method: .get)
      let policy = try #require(page.headers[.contentSecurityPolicy])
      #expect(policy.contains("img-src 'self' data: https://images.example.com;"))
      #expect(policy.contains("media-src 'self' https://video.example blob:;"))
      #expect(policy.contains("font-src 'self'; frame-src 'self' https://maps.example;"))
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch])
  func `a page can only be read`(method: HTTPRequest.Method) async throws {
    try await site(ShelfPage()).test(.router) { client in
      let response = try await client.execute(uri: "/shelves/a", method: method)

      #expect(response.status == .methodNotAllowed)
      #expect(response.headers[.allow] == "GET, HEAD")
      #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'")
    }
  }
}
