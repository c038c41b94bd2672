import Domain
import Foundation
import Sandbox
import Testing

extension Site {
  /// Returns the newest issue of a repository, without the browser.
  func firstIssue(of name: String) async throws -> Domain.Issue? {
    let name = try #require(RepositoryName(name))
    let issue = try await trackIssues(name).items.first
    sandbox.forgetRequests()
    return issue
  }
}

extension BrowserTests {
  @Suite struct PickingTests {
    @Test(.site) func `a click shows the body and leaves the field`() async throws {
      let issue = try #require(try await site.firstIssue(of: "apple/cups"))
      try await site.openLive()
      try await browser.type("apple/cups", into: "#q")
      try await site.waitForIssues(of: "apple/cups")
      #expect(try await browser.focus == "q")
      let place =
        "return JSON.stringify(document.querySelector('#issues .row').getBoundingClientRect())"
      let before = try await browser.run(place, returning: String.self)
      try await browser.click("#issues li:first-child .row")
      try await site.waitFor("#picked")
      #expect(try await browser.run(place, returning: String.self) == before, "no row moves")

      // The on-screen keyboard disappears when the field loses the focus.
      #expect(try await browser.focus == "picked-title")
      #expect(try await browser.text("#picked-title") == issue.title)
      let body: String = try await browser.evaluate(
        "document.querySelector('#picked .body').textContent")
      let words = issue.body.split { !$0.isLetter }.prefix(5)
      #expect(words.count == 5 && words.allSatisfy { body.contains($0) })
      #expect(try await browser.has("#picked .body p"), "drawn from Markdown")
      #expect(
        try await browser.attribute("href", of: "#issue-link")?
          .hasSuffix("/apple/cups/issues/\(issue.number)") == true)
      #expect(try await browser.attribute("aria-current", of: ".is-picked .title") == "true")
      #expect(site.requests == ["/repos/apple/cups", "/repos/apple/cups/issues"])

      try await browser.click("#picked .bar a")
      try await site.waitForEnd(of: "#picked")
      #expect(try await browser.focus == "apple/cups \(issue.number)", "back on the row")
    }

    @Test(.site) func `the keyboard alone is enough`() async throws {
      try await site.openLive()
      try await browser.type("moya/moya", into: "#q")
      try await site.waitForIssues(of: "moya/moya")
      try await browser.type(Key.down + Key.down + Key.down + Key.up)
      let second = try await browser.attribute("data-key", of: "#issues li:nth-child(2)")
      #expect(try await browser.focus == second)
      try await browser.type(Key.enter)
      try await site.waitFor("#picked")
      #expect(try await browser.focus == "picked-title")
      let number = try #require(second?.split(separator: " ").last)
      #expect(try await browser.url.hasSuffix("&issue=\(number)"))

      try await browser.type(Key.escape)
      try await site.waitForEnd(of: "#picked")
      #expect(try await browser.focus == second, "back on the row")
      #expect(try await browser.value("#q") == "moya/moya")
      // From the row, the arrow keys move back into the field.
      try await browser.type(Key.up + Key.up)
      #expect(try await browser.focus == "q")
    }

    @Test(.site) func `escape closes from anywhere but the field`() async throws {
      try await site.openIssues(of: "apple/cups")
      try await browser.click("#issues li:first-child .row")
      try await site.waitFor("#picked")
      // A click on the text removes the focus from all elements.
      try await browser.click("#picked .body")
      #expect(try await browser.focus == "BODY")
      try await browser.type(Key.escape)
      try await site.waitForEnd(of: "#picked")
    }

    @Test(.site) func `a phone comes back to its place in the list`() async throws {
      try await browser.becomePhone()
      try await site.openIssues(of: "moya/moya")
      try await browser.run(
        "document.querySelector('#issues li:nth-child(60)').scrollIntoView({ block: 'center' })")
      try await browser.click("#issues li:nth-child(60) .row")
      try await site.waitFor("#picked")
      #expect(try await isOnScreen("#picked-title"))
      try await browser.click("#picked .bar a")
      try await site.waitForEnd(of: "#picked")
      #expect(try await isOnScreen("#issues li:nth-child(60)"))
    }

    private func isOnScreen(_ selector: String) async throws -> Bool {
      try await browser.run(
        """
        const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
        """, selector, returning: Bool.self)
    }
  }
}
