import CurlewTesting
import Foundation
import Testing

extension BrowserTests {
  /// The numbers of bytes sent over the network, as counted by Chromium; no durations are measured.
  @Suite struct BytesTests {
    private static let options = Browser.Options(logsNetwork: true)

    /// Runs a closure with the issues of `apple/swift` and a stopped clock, so that no debounce
    /// interval ends.
    private func withIssues(_ body: (Site, inout NetworkLog) async throws -> Void) async throws {
      let clock = TestClock()
      try await withSite(Self.options, clock: clock) { site in
        var log = try await NetworkLog(site.browser)
        try await site.openLive("/issues?q=apple/swift", passing: clock)
        try await site.waitForIssues(of: "apple/swift")
        // When an action has been acknowledged, no earlier message is in flight.
        try await site.browser.type("s", into: "#q")
        try await site.waitForAddress("/issues?q=apple/swifts")
        try await site.browser.type(Key.backspace)
        try await site.waitForAddress("/issues?q=apple/swift")
        _ = try await log.takeStreamed()
        try await body(site, &log)
      }
    }

    @Test func `keystroke over many rows sends no row`() async throws {
      try await withIssues { site, log in
        #expect(try await site.browser.all("#issues .row").count > 80)
        for (keys, address) in [("-", "apple/swift-"), ("n", "apple/swift-n")] {
          try await site.browser.type(keys)
          try await site.waitForAddress("/issues?q=\(address)")
          let bytes = try await log.takeStreamed()
          #expect((1...300).contains(bytes))
        }
      }
    }

    /// Event streams are compressed event by event, like documents.
    ///
    /// The bytes are counted on the wire, because Chromium reports the size of a compressed stream
    /// only at its end.
    @Test(.site) func `another repositorys rows come compressed`() async throws {
      try await HoldingProxy.run(to: site.server.port, .passes) { proxy, origin in
        try await browser.open(origin + "/issues?q=apple/cups")
        try await site.waitFor("[data-live-ready]")
        try await site.waitForIssues(of: "apple/cups")
        try await browser.type("x", into: "#q")
        try await eventually("it is live") { try await browser.url.hasSuffix("apple/cupsx") }
        let before = proxy.responses
        try await browser.run(
          """
          const field = document.querySelector("#q");
          field.value = "apple/swift";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          """)
        try await site.waitForIssues(of: "apple/swift")
        #expect(try await browser.all("#issues .row").count > 80)
        let bytes = proxy.responses - before
        #expect((4_000...9_216).contains(bytes))
      }
    }

    @Test func `picking an issue sends it`() async throws {
      try await withIssues { site, log in
        // From the second selection on, the previously selected row changes, too.
        for row in [3, 4, 6, 5] {
          try await site.browser.click("#issues li:nth-child(\(row)) .row")
          let number = try await site.browser.text("#issues li:nth-child(\(row)) .number")
          try await eventually("it is shown") {
            try await site.browser.text("#picked .bar span") == number
          }
          let bytes = try await log.takeStreamed()
          let own = try await site.browser.run(
            """
            const picked = document.querySelector("#picked").outerHTML;
            return new TextEncoder().encode(JSON.stringify(picked)).length;
            """, returning: Int.self)
          #expect((1...(own + 1_300)).contains(bytes), "row \(row), whose issue has \(own)")
        }
      }
    }

    @Test(.site(Self.options, isTimed: true)) func `next page sends its rows`() async throws {
      var log = try await NetworkLog(site.browser)
      let count = try await site.openList("/movies/now-playing", passing: clock)
      #expect(count == 20)
      _ = try await log.takeStreamed()
      try await site.scrollDown()
      try await site.waitForRows("the next page") { $0 == 2 * count }
      // Scrolling to the end of the first page loads the second page, but not the third.
      let bytes = try await log.takeStreamed()
      let own = try await site.browser.run(
        """
        return fetch("/movies/now-playing?page=2").then((response) => response.text())
          .then((page) => page.match(/<li class="movie"[^]*?<\\/li>|<p id="more"[^]*?<\\/p>/g))
          .then((rows) => new TextEncoder().encode(JSON.stringify(rows.join("\\n"))).length);
        """, returning: Int.self)
      #expect((1...(own + 500)).contains(bytes), "\(own) are rows and the link to the next page")
    }

    /// The ages in the rows have different lengths on different days.
    @Test(
      .site(Self.options, hasAccounts: true),
      arguments: [
        ("/issues?q=apple/swift", "#issues .row", "/issues?", 30_000),
        ("/", "main", "home.", 30_720),
      ])
    func `A first visit is small`(
      address: String, content: String, own: String, maximum: Int
    ) async throws {
      var log = try await NetworkLog(site.browser)
      try await site.openLive(address)
      try await site.waitFor(content)
      try await eventually("everything has come") {
        try await log.read()
        let parts = [own, "live", ".css", "/live?"]
        return parts.allSatisfy { part in log.transfers.contains { $0.url.contains(part) } }
          && log.transfers.allSatisfy { $0.isStream ? $0.body > 0 : $0.total != nil }
      }
      let bytes = log.transfers.reduce(0) { $0 + $1.bytes }
      #expect((1...maximum).contains(bytes), "\(log.transfers)")
    }

    /// The page has three frames, the naive search and the numbers.
    @Test func `keystroke on the first page sends little`() async throws {
      let clock = TestClock()
      try await withSite(Self.options, clock: clock) { site in
        var log = try await NetworkLog(site.browser)
        try await site.openLive("/?q=gre", passing: clock)
        try await site.waitFor("#list li", passing: clock)
        try await site.browser.click("#q")
        for (key, text) in [("a", "grea"), ("t", "great")] {
          _ = try await log.takeStreamed()
          try await site.browser.type(key)
          try await eventually("it is shown") {
            try await site.browser.text(".pill") == text
          }
          let bytes = try await log.takeStreamed()
          #expect((1...1_500).contains(bytes))
        }
      }
    }

    /// Parsers of HTML change some characters of keys.
    @Test(.serialized, arguments: ["", "\r", "\r\n-", "\0"])
    func `one of a thousand rows sends itself`(suffix: String) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await serve(ThousandRowsPage(suffix: suffix)) { port in
        try await browsers.withBrowser(Self.options) { browser in
          var log = try await NetworkLog(browser)
          try await browser.open("http://127.0.0.1:\(port)/rows")
          try await eventually("it is live") { try await browser.has("[data-live-ready]") }
          _ = try await log.takeStreamed()
          for count in 1...3 {
            try await browser.click("#rows li:nth-child(501) a")
            try await eventually("it is changed") {
              try await browser.text("#rows li:nth-child(501) b") == "\(count)"
            }
            // The first action may precede the opening of the stream, so the stream's start is
            // counted, too.
            let bytes = try await log.takeStreamed()
            #expect((1...1_000).contains(bytes), "change \(count)")
          }
        }
      }
    }
  }
}
