import Sandbox
import Testing

extension BrowserTests {
  /// A server's limit that is hit, and how a page goes on by itself.
  @Suite struct RateLimitTests {
    /// The countdown as the page shows it, in seconds.
    private func secondsLeft(_ site: Site) async throws -> Int? {
      let text = try await site.browser.text("#countdown strong")
      return text.wholeMatch(of: /(\d+) s/).flatMap { Int($0.1) }
    }

    @Test func issuesComeByThemselvesWhenTheWaitIsOver() async throws {
      // A repository and its issues are two requests.
      let options = Sandbox.Options(rateLimit: 2, rateWindow: .seconds(8))
      try await withSite(sandbox: options) { site in
        let browser = site.browser
        // A toast that still fades in has no text to see.
        try await browser.prefer("light")
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
        let rows = try await browser.run(
          "return document.querySelectorAll('#issues .row').length", returning: Int.self)
        try await browser.run("document.querySelector('#q').select()")
        try await browser.devTools("Input.insertText", ["text": "apple/swift"])
        try await site.waitFor("#failure.toast #countdown")
        // It was not even asked: the response before said that nothing is left.
        #expect(site.requests.count == 2)
        #expect(try await browser.text("#failure h2") == "On hold")
        #expect(try await browser.text("#failure [role=alert]").contains("no more requests"))
        let kept = try await browser.run(
          "return document.querySelectorAll('#issues.is-old .row').length", returning: Int.self)
        #expect(kept == rows, "the last issues stay")

        try await browser.run(
          """
          window.seconds = [];
          window.announced = 0;
          addEventListener("live:state", () => {
            const left = document.querySelector("#countdown strong")?.textContent;
            if (left && seconds[seconds.length - 1] !== left) seconds.push(left);
          });
          // Within an alert, a screen reader would say each change.
          new MutationObserver((changes) => announced += changes.length).observe(
            document.querySelector("#failure [role=alert]"),
            { childList: true, characterData: true, subtree: true });
          """)
        let first = try #require(try await secondsLeft(site))
        // The end is told in whole seconds, rounded up.
        #expect((1...9).contains(first))
        try await eventually("it counts down") {
          try await browser.run("return seconds.length > 2", returning: Bool.self)
        }
        #expect(try await browser.run("return announced", returning: Int.self) == 0)
        try await site.waitForIssues(of: "apple/swift")
        #expect(try await !browser.has("#failure"))
        #expect(site.requests.count == 4)
        let shown = try await browser.run("return seconds", returning: [String].self)
        let numbers = shown.compactMap { Int($0.prefix { $0.isNumber }) }
        // Each once and downwards; a slow browser may miss one.
        #expect(numbers.count > 2 && numbers.count == shown.count, "\(shown)")
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, "\(shown)")
      }
    }

    @Test func repositoriesComeByThemselvesToo() async throws {
      let options = Sandbox.Options(searchRateLimit: 0, rateWindow: .seconds(4))
      try await withSite(sandbox: options, allowing: ["403"]) { site in
        let browser = site.browser
        try await site.openLive("/repositories?language=go")
        try await site.waitFor("#failure.notice #countdown")
        #expect(try await browser.text("#failure [role=alert]").contains("too many requests"))
        #expect(try await browser.text("#status") == "The repositories could not be loaded.")
        #expect(try await browser.has("#failure a"), "whoever doesn't want to wait may try")
        try site.sandbox.update { $0.searchRateLimit = 30 }
        try await site.waitForRows()
        #expect(try await !browser.has("#failure"))
        #expect(site.sandbox.requests.map(\.status).prefix(2) == [403, 200], "and nothing between")
      }
    }

    @Test func aLimitOfSearchesLeavesTheRestAlone() async throws {
      let options = Sandbox.Options(searchRateLimit: 0)
      try await withSite(sandbox: options, allowing: ["403"]) { site in
        try await site.openLive("/repositories?language=go")
        try await site.waitFor("#countdown")
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
      }
    }

    @Test func tryingAgainEarlierIsToldToWaitOn() async throws {
      let options = Sandbox.Options(searchRateLimit: 0, rateWindow: .seconds(60))
      try await withSite(sandbox: options, allowing: ["403"]) { site in
        let browser = site.browser
        try await site.openLive("/repositories?language=go")
        try await site.waitFor("#countdown")
        try await eventually("some time has gone by") { try await secondsLeft(site) ?? 60 < 59 }
        try await browser.click("#failure a")
        try await eventually("it is said in other words") {
          try await browser.text("#failure [role=alert]").contains("no more requests")
        }
        #expect(site.requests.count == 1, "the server is left alone")
        #expect(try #require(try await secondsLeft(site)) < 60)
        try await browser.click("#failure button")
        try await site.waitFor("#unloaded")
        #expect(try await !browser.has("#countdown"))
      }
    }

    @Test func withoutJavaScriptThePageComesAgain() async throws {
      let options = Sandbox.Options(searchRateLimit: 0, rateWindow: .seconds(4))
      let plain = Browser.Options(hasJavaScript: false)
      try await withSite(plain, sandbox: options, allowing: ["403"]) { site in
        try await site.open("/repositories?language=go")
        #expect(try await site.browser.text("#countdown") == "Going on in 4 s.")
        try site.sandbox.update { $0.searchRateLimit = 30 }
        try await site.waitForRows()
      }
    }
  }
}
