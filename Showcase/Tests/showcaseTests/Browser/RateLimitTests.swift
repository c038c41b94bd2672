import Sandbox
import Testing

extension BrowserTests {
  /// A countdown in a real browser; `RateLimitPageTests` tests the automatic retry.
  @Suite struct RateLimitTests {
    @Test(
      .site(
        sandbox: .init { ($0.searchRateLimit, $0.rateWindow) = (0, .seconds(50)) },
        allowing: ["403"]))
    func `a countdown goes down and changes nothing that is announced`() async throws {
      try await site.openLive("/repositories?language=go")
      try await site.waitFor("#countdown")
      try await browser.run(
        """
        window.seconds = [];
        window.announced = 0;
        addEventListener("live:state", () => {
          const left = document.querySelector("#countdown strong")?.textContent;
          if (left && seconds[seconds.length - 1] !== left) seconds.push(left);
        });
        // Screen readers would announce each change inside an alert.
        new MutationObserver((changes) => announced += changes.length).observe(
          document.querySelector("#failure [role=alert]"),
          { childList: true, characterData: true, subtree: true });
        """)
      try await eventually("it counts down") { try await browser.evaluate("seconds.length > 1") }
      #expect(try await browser.evaluate("announced") == 0)
      let shown: [String] = try await browser.evaluate("seconds")
      let numbers = shown.compactMap { Int($0.prefix { $0.isNumber }) }
      // Each number appears once, in descending order; a slow browser may skip a number.
      #expect(numbers.count == shown.count, "\(shown)")
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 }, "\(shown)")
    }
  }
}
