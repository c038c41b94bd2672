import CurlewLive
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DocumentTests {
  @Test func `the page is whole without a script`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let page = try await client.execute(uri: "/notes?q=curlew", method: .get)

      #expect(page.status == .ok)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
      #expect(page.text.contains("<title>curlew</title>"))
      #expect(page.text.contains(#"<input value="curlew"><p id="found">about curlew</p></div>"#))
      #expect(page.text.contains(#"<div id="live" data-live="/notes""#))
      #expect(!page.text.contains("http-equiv"))
      #expect(page.text.contains(#"<script src="\#(LiveAsset.script.path)" defer></script>"#))
    }
  }

  /// Another router of the process has other pages.
  @Test func `a document names the paths of its router's live pages`() async throws {
    struct OtherPage: LivePage {
      let screen = Notes()
      let path: String
      func events(for query: LiveQuery, in state: Notes.State) -> [Notes.Event] { [] }
      func event(for action: LiveAction) -> Notes.Event? { nil }
      func address(of state: Notes.State) -> LiveAddress { LiveAddress() }
      func title(of state: Notes.State) -> String { path }
      func render(_ state: Notes.State, _ activity: ScreenActivity) -> HTML { HTML(text: path) }
    }
    func pages(_ paths: [String]) async throws -> Regex<AnyRegexOutput> {
      let router = Router()
      router.get("/file") { _, _ in "" }
      for path in paths { router.add(OtherPage(path: path)) { $0.content } }
      return try await Application(router: router).test(.router) { client in
        let document = try await client.execute(uri: paths[0], method: .get).text
        let value = try #require(document.firstMatch(of: /data-live-pages="([^"]*)"/)?.1)
        return try Regex(String(value))
      }
    }
    let some = try await pages(["/", "/a.b", "/shelves/{id}/é"])
    for path in ["/", "/a.b", "/a.b/", "/shelves/1%2F2/%C3%A9"] {
      #expect(try some.wholeMatch(in: path) != nil, "\(path)")
    }
    for path in ["/file", "/aXb", "/a.b/c", "/shelves//%C3%A9", "/shelves/1", "/notes"] {
      #expect(try some.wholeMatch(in: path) == nil, "\(path)")
    }
    let others = try await pages(["/notes"])
    #expect(try others.wholeMatch(in: "/notes") != nil && others.wholeMatch(in: "/a.b") == nil)
  }

  @Test func `what comes from outside is escaped`() async throws {
    let attack = #""><script>alert('1')</script>&"#
    try await site(NotesPage()).test(.router) { client in
      let query: LiveQuery = ["q": attack]
      let page = try await client.execute(uri: "/notes\(query.text)", method: .get)
      let content = try #require(page.text.split(separator: "<body>").last)

      #expect(content.contains(#"<input value="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)"#))
      #expect(content.contains("about &quot;&gt;&lt;script&gt;"))
      #expect(!content.contains("<script"))
    }
  }

  @Test func `headers keep other sites and inline code out`() async throws {
    try await site(NotesPage()).test(.router) { client in
      let fields = try await client.execute(uri: "/notes", method: .get).headers
      let policy = try #require(fields[.contentSecurityPolicy])
      let rules = policy.split(separator: ";").map { $0.trimmingPrefix(" ") }

      for rule in [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "media-src 'self'",
        "font-src 'self'", "frame-src 'self'",
      ] {
        #expect(rules.contains { $0 == rule }, "\(rule)")
      }
      #expect(!policy.contains("unsafe"))
      #expect(fields[.xContentTypeOptions] == "nosniff")
      #expect(fields[HTTPField.Name("Referrer-Policy")!] == "same-origin")
      #expect(fields[.cacheControl] == "private, no-cache")
      #expect(fields[.vary] == "*")
    }
  }

  @Test func `head responds without a body`() async throws {
    try await site(NotesPage()).test(.live) { client in
      let page = try await client.execute(uri: "/notes?q=curlew", method: .head)

      #expect(page.status == .ok)
      #expect(page.body.readableBytes == 0)
      #expect(page.headers[.contentType] == "text/html; charset=utf-8")
    }
  }

  @Test func `work that changes nothing holds the page up no longer`() async throws {
    struct Quiet: LivePage {
      struct Content: Screen {
        let initial = "quiet"
        let wait: @Sendable () async -> Void
        func handle(_ event: Void, _ state: inout String, _ work: inout Work<String>) {
          work.latest("wait") { [wait] in
            await wait()
          } finished: { _, _, _ in
          }
        }
      }
      let screen: Content
      let path = "/quiet"
      func events(for query: LiveQuery, in state: String) -> [Void] { [()] }
      func event(for action: LiveAction) -> Void? { nil }
      func address(of state: String) -> LiveAddress { LiveAddress() }
      func title(of state: String) -> String { state }
      func render(_ state: String, _ activity: ScreenActivity) -> HTML { HTML(trusted: state) }
    }
    let gate = Gate()
    let quiet = Quiet(screen: Quiet.Content { await gate.wait() })
    // The clock stands still, so nothing else ends the wait.
    try await site(quiet, clock: TestClock()).test(.router) { client in
      async let page = client.execute(uri: "/quiet", method: .get)
      await gate.waitForArrival()
      gate.open()
      let text = try await page.text
      #expect(text.contains("quiet"))
    }
  }

  @Test func `content that is worth showing is drawn at once`() async throws {
    let gate = Gate()
    var page = try NotesPage(gate, "late")
    page.presentable = { $0.text == "known" }
    // The clock stands still, so nothing else ends the wait.
    try await site(page, clock: TestClock()).test(.router) { client in
      let page = try await client.execute(uri: "/notes?q=known", method: .get)
      #expect(page.text.contains(#"<input value="known">"#))
      #expect(page.text.contains("<hr>"))
    }
    gate.open()
  }

  @Test(arguments: [Duration.milliseconds(3_999), .seconds(4)])
  func `content is waited for four seconds`(time: Duration) async throws {
    let (clock, gate) = (TestClock(), Gate())
    try await site(NotesPage(gate, "late"), clock: clock).test(.router) { client in
      async let response = client.execute(uri: "/notes?q=curlew", method: .get)
      // The document's time limit and the session sweeper.
      await clock.waitForSleepers(2)
      clock.advance(by: time)
      let isInTime = time < .seconds(4)
      if isInTime { gate.open() }
      let text = try await response.text
      gate.open()

      #expect(text.contains("late") == isInTime && text.contains("<hr>") != isInTime)
      // Without a script, the page reloads itself to get its content.
      let reload = #"<noscript><meta http-equiv="refresh" content="2"></noscript>"#
      #expect(text.contains(reload) != isInTime)
    }
  }

  @Test(
    arguments: [
      (.seconds(42), "42"), (.milliseconds(1_001), "2"), (.zero, "1"), (.seconds(-3), "1"),
    ] as [(Duration, String)])
  func `page that goes on later comes back then`(delay: Duration, seconds: String) async throws {
    var page = try NotesPage()
    page.reloadDelay = delay
    try await site(page).test(.router) { client in
      let text = try await client.execute(uri: "/notes", method: .get).text
      #expect(
        text.contains(
          "<noscript><meta http-equiv=\"refresh\" content=\"\(seconds)\"></noscript>"))
    }
  }

  /// A page whose load and write have failed, and will be possible later.
  private struct LatePage: LivePage {
    struct Late: Screen {
      let initial = 0
      func handle(_ event: Never, _ state: inout Int, _ work: inout Work<Int>) {}
      func begin(_ state: inout Int, _ work: inout Work<Int>) { state = 1 }
      func loads(in state: Int) -> [LoadStatus<Never>] {
        let failures = [3, 42].map { LoadFailure(message: "Later.", retryAfter: .seconds($0)) }
        return state == 0
          ? []
          : [
            LoadStatus(name: "save", kind: .write, isLoading: false, failure: failures[0]),
            LoadStatus(name: "list", isLoading: false, failure: failures[1]),
          ]
      }
    }

    let screen = Late()
    let path = "/late"
    func events(for query: LiveQuery, in state: Int) -> [Never] { [] }
    func event(for action: LiveAction) -> Never? { nil }
    func address(of state: Int) -> LiveAddress { LiveAddress() }
    func title(of state: Int) -> String { path }
    func render(_ state: Int, _ activity: ScreenActivity) -> HTML {
      HTML(text: activity.alerts.map { "\($0.name): \($0.message)" }.joined(separator: " "))
    }
  }

  @Test func `a load that is repeated later comes back then, unlike a write`() async throws {
    try await site(LatePage()).test(.router) { client in
      let text = try await client.execute(uri: "/late", method: .get).text
      #expect(text.contains("save: Later. Trying again in 3 s. list: Later. Trying again in 42 s."))
      #expect(text.contains("<noscript><meta http-equiv=\"refresh\" content=\"42\"></noscript>"))
    }
  }

  @Test func `a full server still draws the page`() async throws {
    var limits = LiveLimits()
    limits.sessions = 0
    try await site(NotesPage(), limits: limits).test(.router) { client in
      let page = try await client.execute(uri: "/notes?q=curlew", method: .get)

      #expect(page.text.contains("about curlew"))
      #expect(page.session == nil)
    }
  }
}
