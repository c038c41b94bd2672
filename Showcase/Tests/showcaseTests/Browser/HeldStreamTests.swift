import CurlewLive
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// Behind a proxy that delays event streams, and in a network that hangs, a page keeps working
  /// and reports it.
  @Suite struct HeldStreamTests {
    private static let failures = ["net::ERR_", "502"]

    @Test(
      .site(allowing: Self.failures), arguments: [HoldingProxy.Mode.holdsStreams, .refusesStreams])
    func `a page without its stream works by its own requests`(mode: HoldingProxy.Mode) async throws
    {
      try await HoldingProxy.run(to: site.server.port, mode) { proxy, origin in
        try await browser.open(origin + "/issues?q=apple/cups")
        try await site.waitFor("[data-live-ready]")
        try await eventually("it says so") {
          try await browser.text("[data-live-connection]").contains("Live updates are off")
        }
        #expect(try await !browser.has("[data-live-lost]"))
        // Typing, later results, rows, and the back button.
        try await browser.type(
          String(repeating: Key.backspace, count: 10) + "moya/moya", into: "#q")
        try await site.waitForIssues(of: "moya/moya")
        #expect(try await browser.url.hasSuffix("/issues?q=moya/moya"))
        try await browser.click("#issues li:first-child .row")
        try await site.waitFor("#picked")
        try await browser.back()
        try await site.waitForEnd(of: "#picked")
        #expect(try await browser.value("#q") == "moya/moya")

        // The held messages are outdated, and the stream takes over.
        proxy.become(.passes)
        try await eventually("the stream takes over", within: .seconds(30)) {
          try await browser.text("[data-live-connection]").isEmpty
        }
        try await site.waitForIssues(of: "moya/moya")
        try await browser.type(
          String(repeating: Key.backspace, count: 9) + "apple/cups", into: "#q")
        try await site.waitForIssues(of: "apple/cups")
      }
    }

    /// Each keystroke aborts the poll that waits for the debounce interval.
    @Test(.site(isTimed: true, allowing: Self.failures))
    func `keystroke without a stream sends no row`() async throws {
      try await HoldingProxy.run(to: site.server.port, .refusesStreams) { proxy, origin in
        async let open: Void = browser.open(origin + "/issues?q=apple/swift")
        try await site.waitFor("[data-live-ready]", passing: clock)
        try await open
        try await site.waitForIssues(of: "apple/swift", passing: clock)
        try await eventually("it says so") {
          try await browser.text("[data-live-connection]").contains("Live updates are off")
        }
        // The first response without a stream may contain the whole page.
        for (key, count) in [("s", 0), ("-", 1), ("n", 2), ("i", 3)] {
          let before = proxy.responses
          try await browser.type(key, into: "#q")
          try await eventually("the address changes") {
            try await browser.url.hasSuffix("apple/swift" + "s-ni".prefix(count + 1))
          }
          if count > 0 { #expect((1...2_000).contains(proxy.responses - before), "\(key)") }
        }
      }
    }

    /// The server has reached its limit of sessions, so links load documents, as without a script.
    @Test func `a page without a session works by its links`() async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      var limits = LiveLimits()
      limits.sessions = 0
      try await serve(ThousandRowsPage(), limits: limits) { port in
        try await browsers.withBrowser(.init()) { browser in
          try await browser.open("http://127.0.0.1:\(port)/rows")
          try await eventually("it is plain") { try await browser.has("[data-live-plain]") }
          try await browser.click("#row-5 a")
          try await eventually("the link was followed") {
            try await browser.url.hasSuffix("/rows?row=5")
          }
        }
      }
    }

    /// The page reports the problem after two seconds, and the lost connection after five.
    @Test(.site(allowing: Self.failures)) func `a hanging network is said soon`() async throws {
      try await HoldingProxy.run(to: site.server.port, .passes) { proxy, origin in
        try await browser.open(origin + "/issues?q=apple/cups")
        try await site.waitFor("[data-live-ready]")
        try await site.waitForIssues(of: "apple/cups")
        try await browser.run(
          """
          window.said = [];
          const notice = document.querySelector("[data-live-connection]");
          new MutationObserver(() => said.push([performance.now() - typed, notice.textContent.trim()]))
            .observe(notice, { childList: true });
          document.querySelector("#q").addEventListener("input", () => { window.typed ??= performance.now(); });
          """)
        proxy.become(.hangs)
        try await browser.type("x", into: "#q")
        try await site.waitFor("[data-live-lost]")
        let said: [String] = try await browser.evaluate(
          "said.map(([time, text]) => Math.round(time / 500) + ' ' + text)")
        #expect(said.first?.contains("Waiting for the server…") == true, "\(said)")
        #expect(said.contains { $0.contains("Connection lost.") }, "\(said)")
        // Counted in half seconds, on a machine that may be slow.
        #expect(
          said.first.flatMap { Int($0.prefix { $0 != " " }) }.map { (4...8).contains($0) } == true
        )
        // The long mode simulates a server that is suspended for 30 s.
        try await Task.sleep(for: .seconds(Fuzz.size(0, full: 30)))
        proxy.become(.passes)
        try await eventually("the page is back", within: .seconds(30)) {
          try await browser.text("[data-live-connection]").isEmpty
        }
        try await eventually("the typed text has arrived") {
          try await browser.url.hasSuffix("/issues?q=apple/cupsx")
        }
      }
    }

    @Test(.site(allowing: Self.failures))
    func `what is typed survives a restart and a reload`() async throws {
      try await site.openLive("/issues/new")
      try await browser.type("apple/cups", into: "#repository")
      try await browser.type("A title", into: "#title")
      try await browser.type("Some text", into: "#body")
      try await eventually("the server has it") {
        try await browser.evaluate("document.querySelector('#title').defaultValue")
          == "A title"
      }
      func expectTexts(_ when: String) async throws {
        try await eventually("the server has all of it again, \(when)") {
          try await browser.run(
            """
            return ["#repository", "#title"].map((id) => document.querySelector(id))
              .map((field) => `${field.value}|${field.defaultValue}`).join() + document.querySelector("#body").value;
            """, returning: String.self)
            == "apple/cups|apple/cups,A title|A titleSome text"
        }
      }
      await site.server.stop()
      try await site.waitFor("[data-live-lost]")
      try await site.server.start()
      try await eventually("the page is back") { try await !browser.has("[data-live-lost]") }
      try await expectTexts("after a restart")

      try await browser.run("location.reload()")
      try await site.waitFor("[data-live-ready]")
      try await expectTexts("after a reload")
    }

    /// A form that exceeds the server's limit shows an error at its button.
    @Test(.site(allowing: Self.failures + ["413"])) func `a form that is too long is told so`()
      async throws
    {
      try await site.openLive("/issues/new")
      try await browser.run(
        """
        const body = document.querySelector("#body");
        body.removeAttribute("maxlength");
        body.value = "x".repeat(70_000);
        """)
      try await browser.click("form button[type=submit]")
      try await eventually("it is said") {
        try await browser.text("[data-live-refusal]").contains("too long")
      }
      try await browser.run("document.querySelector('#body').value = 'x'")
      try await browser.click("form button[type=submit]")
      try await eventually("it is said no longer") {
        try await browser.text("[data-live-refusal]").isEmpty
      }
    }
  }
}
