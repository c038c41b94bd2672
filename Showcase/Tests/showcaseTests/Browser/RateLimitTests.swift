import Sandbox
import Testing

extension BrowserTests {
  /// A server's limit that is hit, and how a page goes on by itself.
  @Suite struct RateLimitTests {
    /// The countdown as the page shows it, in seconds.
    private func secondsLeft() async throws -> Int? {
      let text = try await browser.text("#countdown strong")
      return text.wholeMatch(of: /(\d+) s/).flatMap { Int($0.1) }
    }

    /// A repository and its issues are two requests.
    @Test(.site(sandbox: .init { ($0.rateLimit, $0.rateWindow) = (2, .seconds(8)) }))
    func `issues come by themselves when the wait is over`() async throws {
      // A toast that still fades in has no text to see.
      try await browser.prefer("light")
      try await site.openIssues(of: "apple/cups")
      let rows: Int = try await browser.evaluate("document.querySelectorAll('#issues .row').length")
      try await browser.run("document.querySelector('#q').select()")
      try await browser.devTools("Input.insertText", ["text": "apple/swift"])
      try await site.waitFor("#failure.toast #countdown")
      // It was not even asked: the response before said that nothing is left.
      #expect(site.requests.count == 2)
      #expect(try await browser.text("#failure h2") == "On hold")
      #expect(try await browser.text("#failure [role=alert]").contains("no more requests"))
      let kept: Int = try await browser.evaluate(
        "document.querySelectorAll('#issues.is-old .row').length")
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
      let first = try #require(try await secondsLeft())
      // The end is told in whole seconds, rounded up.
      #expect((1...9).contains(first))
      try await eventually("it counts down") { try await browser.evaluate("seconds.length > 2") }
      #expect(try await browser.evaluate("announced") == 0)
      try await site.waitForIssues(of: "apple/swift")
      #expect(try await !browser.has("#failure"))
      #expect(site.requests.count == 4)
      let shown: [String] = try await browser.evaluate("seconds")
      let numbers = shown.compactMap { Int($0.prefix { $0.isNumber }) }
      // Each once and downwards; a slow browser may miss one.
      #expect(numbers.count > 2 && numbers.count == shown.count, "\(shown)")
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, "\(shown)")
    }

    @Test(
      .site(
        sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(4)) }, allowing: ["403"]
      ))
    func `repositories come by themselves too`() async throws {
      try await site.openLive("/repositories?language=go")
      try await site.waitFor("#failure.notice #countdown")
      #expect(try await browser.text("#failure [role=alert]").contains("Too many requests"))
      #expect(try await browser.text("#status") == "The repositories could not be loaded.")
      #expect(try await browser.has("#failure a"), "whoever doesn't want to wait may try")
      site.sandbox.update { $0.searchRateLimit = 30 }
      try await site.waitForRows()
      #expect(try await !browser.has("#failure"))
      #expect(site.sandbox.requests.map(\.status).prefix(2) == [403, 200], "and nothing between")
    }

    @Test(
      .site(
        sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(60)) },
        allowing: ["403"]))
    func `trying again earlier is told to wait on`() async throws {
      try await site.openLive("/repositories?language=go")
      try await site.waitFor("#countdown")
      try await eventually("some time has gone by") { try await secondsLeft() ?? 60 < 59 }
      try await browser.click("#failure a")
      try await eventually("it is said in other words") {
        try await browser.text("#failure [role=alert]").contains("no more requests")
      }
      #expect(site.requests.count == 1, "the server is left alone")
      #expect(try #require(try await secondsLeft()) < 60)
      try await browser.click("#failure button")
      try await site.waitFor("#unloaded")
      #expect(try await !browser.has("#countdown"))
    }

    @Test(
      .site(
        .plain, sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(4)) },
        allowing: ["403"]))
    func `without JavaScript the page comes again`() async throws {
      try await site.open("/repositories?language=go")
      #expect(try await browser.text("#countdown") == "Going on in 4 s.")
      site.sandbox.update { $0.searchRateLimit = 30 }
      try await site.waitForRows()
    }
  }
}
