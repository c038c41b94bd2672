import CurlewLive
import CurlewScreens
import Hummingbird
import Synchronization
import Testing

extension BrowserTests {
  /// Two users of one browser: what each sees, and what is kept when a sign-in ends.
  @Suite struct VisitorTests {
    /// A text, which is in no address, and the number of clicks.
    private struct DeskPage: LivePage {
      struct Content: Screen {
        struct State: Equatable, Sendable {
          let owner: String
          var text = ""
          var clicks = 0
        }

        let initial: State
        func handle(_ text: String?, _ state: inout State, _ work: inout Work<State>) {
          if let text { state.text = text } else { state.clicks += 1 }
        }
      }

      var path = "/desk"
      var screen: Content { screen(for: "") }
      func screen(for visitor: String) -> Content { Content(initial: .init(owner: visitor)) }

      func events(for query: LiveQuery, in state: Content.State) -> [String?] { [] }
      func event(for action: LiveAction) -> String?? {
        action.name == "text" ? action.value : .some(nil)
      }
      func event(for action: LiveAction, by visitor: String) -> String?? { event(for: action) }
      func address(of state: Content.State) -> LiveAddress { LiveAddress() }
      func title(of state: Content.State) -> String { state.owner }
      func render(_ state: Content.State, _ activity: ScreenActivity) -> HTML {
        HTML(
          trusted: """
            <h1 id="owner">\(state.owner)</h1><p id="shown">\(state.text)</p><p id="clicks">\(state.clicks)</p>
            <p id="field"><input id="text" value="\(state.text)" data-live-input="text"></p>
            <button id="click" data-live-click="click">Click</button><a id="other" href="/other">Other</a>
            """)
      }
    }

    /// The users who have signed in, and the number of requests by others.
    private final class Users: Sendable {
      let names = Mutex<Set<String>>([])
      let refused = Mutex(0)

      func visitors() -> LiveVisitors<String, BasicRequestContext> {
        LiveVisitors(id: { $0 }) { request, _ in
          let cookie = request.headers[.cookie]?.prefix { $0 != ";" } ?? ""
          let name = String(cookie.trimmingPrefix("user="))
          guard self.names.withLock({ $0.contains(name) }) else {
            self.refused.withLock { $0 += 1 }
            throw LiveRefusal.signIn(at: "/sign-in")
          }
          return name
        }
      }
    }

    /// Runs a closure with a browser that shows the desk of `ada`.
    private func withDesk(
      _ limits: LiveLimits = LiveLimits(),
      _ body:
        @escaping @Sendable (
          Browser, _ origin: String, Users, LiveVisitors<String, BasicRequestContext>
        ) async throws -> Void
    ) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      let users = Users()
      let visitors = users.visitors()
      try await browsers.withBrowser(Browser.Options()) { browser in
        try await serve(DeskPage(), visitors: visitors, limits: limits) { router in
          router.add(DeskPage(path: "/other"), visitors: visitors) { live in
            HTML(
              trusted: "<!doctype html><title>Other</title>\(live.head.text)\(live.content.text)")
          }
          router.get("sign-in") { request, _ in
            Response(
              status: .ok, headers: [.contentType: "text/html"],
              body: .init(byteBuffer: .init(string: "<h1 id=\"sign-in\">\(request.uri.path)</h1>")))
          }
          router.get("enter/:name") { request, context in
            let name = context.parameters.get("name") ?? ""
            users.names.withLock { _ = $0.insert(name) }
            let query = LiveQuery(request.uri.query ?? "")["return"]
            let address = visitors.address(returningTo: query, otherwise: "/desk")
            return Response(
              status: .seeOther,
              headers: [.location: address, .setCookie: "user=\(name); Path=/; SameSite=Lax"])
          }
        } _: { port in
          let origin = "http://127.0.0.1:\(port)"
          try await browser.open(origin + "/enter/ada")
          try await shows("ada", browser)
          try await body(browser, origin, users, visitors)
        }
      }
    }

    private func shows(_ owner: String, _ browser: Browser) async throws {
      try await eventually("the desk of \(owner) is live") {
        guard try await browser.has("[data-live-ready] #owner") else { return false }
        let shown = try await browser.text("#owner")
        return shown == owner
      }
    }

    private func write(_ text: String, _ browser: Browser) async throws {
      try await browser.type(text, into: "#text")
      try await eventually("it is written") { try await browser.text("#shown") == text }
    }

    /// Makes the document look older than the time in which the script does not load it again.
    private func age(_ browser: Browser) async throws {
      try await browser.run(
        "const now = performance.now.bind(performance); performance.now = () => now() + 20_000")
    }

    private func signIn(_ browser: Browser) async throws {
      try await eventually("the sign-in is shown") { try await browser.has("#sign-in") }
      #expect(try await browser.url.hasSuffix("/sign-in?return=/desk"))
    }

    @Test(arguments: [("ada", "draft", "1"), ("bo", "", "0")])
    func `an expired sign in keeps the text and the click for its user`(
      name: String, text: String, clicks: String
    ) async throws {
      try await withDesk { browser, origin, users, _ in
        try await write("draft", browser)
        try await age(browser)
        users.names.withLock { $0 = [] }
        try await browser.click("#click")
        try await signIn(browser)
        #expect(users.refused.withLock { $0 } <= 3, "there is no loop")
        try await browser.open(origin + "/enter/\(name)?return=%2Fdesk")
        try await shows(name, browser)
        try await eventually("the click arrives") {
          try await browser.text("#clicks") == clicks
        }
        #expect(try await browser.value("#text") == text)
      }
    }

    @Test func `a sign out leads to the sign in and forgets the text`() async throws {
      try await withDesk { browser, origin, users, visitors in
        try await write("draft", browser)
        users.names.withLock { $0 = [] }
        visitors.end(sessionsOf: "ada")
        try await signIn(browser)
        #expect(try await browser.evaluate("sessionStorage.length") == 0)
        try await browser.open(origin + "/enter/ada?return=%2Fdesk")
        try await shows("ada", browser)
        #expect(try await browser.value("#text") == "")
      }
    }

    @Test func `back shows the next user nothing of the one before`() async throws {
      try await withDesk { browser, origin, users, _ in
        try await write("draft", browser)
        users.names.withLock { _ = $0.insert("bo") }
        try await browser.run("document.cookie = 'user=bo; path=/'")
        // A page that is not live stores nothing over what the desk has stored.
        try await browser.open(origin + "/sign-in")
        try await eventually("the sign-in is shown") { try await browser.has("#sign-in") }
        try await browser.back()
        try await shows("bo", browser)
        #expect(try await browser.url.hasSuffix("/desk"))
        #expect(try await browser.value("#text") == "")
      }
    }

    /// What the frame, the history and the page's own scripts have is the former user's.
    @Test func `a link to the page of another user loads its document`() async throws {
      try await withDesk { browser, _, users, _ in
        try await write("draft", browser)
        users.names.withLock { _ = $0.insert("bo") }
        try await browser.run("document.cookie = 'user=bo; path=/'; window.isOld = true")
        try await browser.click("#other")
        try await shows("bo", browser)
        #expect(try await browser.url.hasSuffix("/other"))
        #expect(try await browser.evaluate("window.isOld === undefined"))
        try await browser.back()
        try await eventually("it is back") { try await browser.url.hasSuffix("/desk") }
        try await shows("bo", browser)
        #expect(try await browser.value("#text") == "")
      }
    }

    @Test func `a document whose stream is another users is loaded again once in 10 s`()
      async throws
    {
      try await withDesk { browser, _, users, _ in
        users.names.withLock { _ = $0.insert("bo") }
        // A sibling domain can set such a cookie.
        try await browser.run("document.cookie = 'user=bo; path=/desk/live'")
        try await browser.reload()
        try await eventually("the document stays", within: .seconds(60)) {
          try await browser.evaluate("performance.now() > 3_000")
        }
      }
    }

    @Test func `clicks wait while the visitor is too fast`() async throws {
      var limits = LiveLimits()
      limits.actionsPerVisitor = 10
      try await withDesk(limits) { browser, _, _, _ in
        try await browser.run(
          "for (let n = 0; n < 12; n += 1) document.querySelector('#click').click()")
        try await eventually("all have arrived") { try await browser.text("#clicks") == "12" }
        #expect(try await !browser.has("[data-live-lost]"))
      }
    }
  }
}
