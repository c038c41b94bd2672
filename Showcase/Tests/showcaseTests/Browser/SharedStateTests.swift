import CurlewTesting
import Domain
import Sandbox
import Testing

extension BrowserTests {
  /// Changes by the user appear in all windows immediately, and are rolled back after a rejection.
  @Suite struct SharedStateTests {
    private static let badge = "[data-live-slot=starred]"

    private func star(_ name: String) -> String { "[aria-label='Star \(name)']" }

    private func isStarred(_ name: String) async throws -> Bool {
      try await browser.attribute("aria-pressed", of: star(name)) == "true"
    }

    /// Opens a second window, and returns both.
    private func secondWindow() async throws -> [String] {
      let first = try await browser.tab
      return [first, try await browser.newTab(.window)]
    }

    /// Waits for a condition in each window.
    private func eventuallyEverywhere(
      _ windows: [String], _ comment: String, _ isTrue: () async throws -> Bool
    ) async throws {
      for window in windows {
        try await browser.select(window)
        try await eventually("\(comment)", isTrue)
      }
    }

    @Test(.site(isTimed: true))
    func `a star shows in both windows before the server has it`() async throws {
      let windows = try await secondWindow()
      try await site.openLive("/repositories?language=swift")
      try await site.waitFor(star("ReactiveX/RxSwift"))
      try await browser.select(windows[1])
      try await site.openLive("/repositories/ReactiveX/RxSwift")
      try await site.waitFor(star("ReactiveX/RxSwift"))
      #expect(try await browser.text(Self.badge) == "")

      site.sandbox.update { $0.latency = .seconds(5) }
      try await browser.click(star("ReactiveX/RxSwift"))
      try await eventuallyEverywhere(windows, "the star is there") {
        let badge = try await browser.text(Self.badge)
        return try await isStarred("ReactiveX/RxSwift") && badge == "1"
      }
      #expect(!site.sandbox.requests.contains { $0.method == "PUT" && $0.status != nil })
      site.sandbox.update { $0.latency = .zero }
      clock.advance(by: .seconds(6))
      try await eventually("the server has it") {
        site.sandbox.requests.contains { $0.method == "PUT" && $0.status == 204 }
      }
      try await browser.select(windows[0])
      try await browser.reload()
      try await eventually("it is still there") { try await isStarred("ReactiveX/RxSwift") }
      try await browser.click(star("ReactiveX/RxSwift"))
      try await eventuallyEverywhere(windows, "the star is gone") {
        let badge = try await browser.text(Self.badge)
        return try await !isStarred("ReactiveX/RxSwift") && badge == ""
      }
    }

    @Test(.site(allowing: ["403"])) func `a star that is refused goes alone`() async throws {
      try await site.openLive("/repositories?language=swift")
      try await site.waitFor(star("vapor/vapor"))
      try await browser.click(star("ReactiveX/RxSwift"))
      try await eventually("the star is there") { try await isStarred("ReactiveX/RxSwift") }
      for action in [star("vapor/vapor"), "#refusal [data-live-click=\"live:retry\"]"] {
        try await browser.click(action)
        try await eventually("it is refused, and said") {
          let text = try await browser.has("#refusal") ? browser.text("#refusal") : ""
          let isThere = try await isStarred("vapor/vapor")
          return text.contains("Repository access blocked") && !isThere
        }
      }
      #expect(try await isStarred("ReactiveX/RxSwift"))
      #expect(try await browser.text(Self.badge) == "1")
      #expect(try await !browser.has("#failure"), "the list is there")
      try await browser.click("#refusal [data-live-click=\"live:dismiss\"]")
      try await eventually("it is put away") { try await !browser.has("#refusal") }
    }

    @Test(.site(Browser.Options(hasMotion: true)))
    func `an issue that is closed leaves the lists of both windows`() async throws {
      let windows = try await secondWindow()
      try await site.openIssues(of: "apple/cups")
      let row = "[data-key='apple/cups 21']"
      try await site.waitFor(row)
      let count = try await browser.text("#status")
      try await browser.select(windows[1])
      try await site.openLive("/issues?q=apple/cups&issue=21")
      try await site.waitFor("#change")
      try await browser.click("#picked-title")
      try await eventually("the first use has loaded what moves rows") {
        try await browser.evaluate(
          "performance.getEntriesByType('resource').some(({ name }) => name.includes('/extras.'))")
      }
      try await browser.run(
        """
        window.ghosts = [];
        new MutationObserver((records) => records.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
          if (node.className === "ghost") ghosts.push(node.textContent);
        }))).observe(document.body, { childList: true });
        """)
      try await browser.click("#change button")
      try await eventually("the row fades out") {
        try await browser.evaluate("ghosts.length === 1 && ghosts[0].includes('#21')")
      }
      try await eventuallyEverywhere(windows, "the row is gone") {
        let text = try await browser.text("#status")
        return try await !browser.has(row) && text != count
      }
      #expect(try await browser.has("#closed"), "the panel stays")
      try await browser.reload()
      try await site.waitFor("#closed")
      #expect(try await !browser.has(row))
      try await browser.click("#change button")
      try await eventually("it is open again") { try await !browser.has("#closed") }
      try await browser.select(windows[0])
      try await eventually("its row is back") { try await browser.has(row) }
      #expect(try await browser.text("#status") == count)
    }

    @Test(.site(allowing: ["403"])) func `an issue that may not be closed comes back`() async throws
    {
      try await site.openLive("/issues?q=apple/cups&issue=22")
      try await site.waitFor("#change")
      try await browser.click("#change button")
      try await site.waitFor("#refusal")
      // The driver returns no text of elements that are still transparent.
      try await eventually("it is said why") {
        try await browser.text("#refusal").contains("Must have admin rights")
      }
      #expect(try await browser.has("[data-key='apple/cups 22']"))
      #expect(try await !browser.has("#closed"))
    }
  }
}
