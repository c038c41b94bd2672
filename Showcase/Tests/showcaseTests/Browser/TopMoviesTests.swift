import Sandbox
import Testing

extension BrowserTests {
  @Suite struct TopMoviesTests {
    @Test(.site(sandbox: .init { $0.damagedEntries = 1 })) func `what was opened stays open`()
      async throws
    {
      try await site.openList("/itunes")
      try await browser.click("summary")
      #expect(try await browser.has("details[open]"))
      let before = site.requests.count
      try await browser.click("#refresh")
      try await eventually("the list is asked for again") { site.requests.count > before }
      try await site.waitForRows()
      try await eventually("the list is calm again") {
        try await !browser.has("#status.is-loading")
      }
      #expect(try await browser.has("details[open]"))
    }

    @Test(.site) func `country and length are chosen and stand in the address`() async throws {
      try await site.openLive("/itunes")
      try await site.waitForRows("25") { $0 == 25 }
      try await choose("Top 1", in: "#limit")
      try await site.waitForRows("10") { $0 == 10 }
      try await site.waitForAddress("/itunes?limit=10")
      try await choose("g", in: "#country")
      try await site.waitForAddress("/itunes?country=de&limit=10")
      try await eventually("it is Germany's") {
        try await browser.text("#status") == "Germany: 10 movies, best sellers first"
      }
      #expect(try await browser.text(".price").hasSuffix("EUR"))
      #expect(try await browser.title == "Top movies, Germany")

      try await browser.back()
      try await site.waitForAddress("/itunes?limit=10")
      try await eventually("the choice follows") { try await browser.value("#country") == "us" }
      try await browser.reload()
      try await site.waitForRows("10") { $0 == 10 }
      #expect(try await browser.value("#limit") == "10")
    }

    /// Presses a key in a selection.
    private func choose(_ key: String, in selector: String) async throws {
      try await browser.run("document.querySelector(arguments[0]).focus()", selector)
      try await browser.type(key)
    }
  }
}
