import Testing

extension BrowserTests {
  @Suite struct DogsTests {
    @Test(.site) func `first page is live itself`() async throws {
      try await site.openLive("/")
      try await browser.type("great", into: "#q")
      try await site.waitFor("#list li")
      #expect(try await site.texts("#list li") == ["Great Dane", "Great Pyrenees"])
      try await site.waitForAddress("/?q=great")
      #expect(try await browser.attribute("aria-current", of: ".brand") == "page")
    }

    @Test(.site(isTimed: true)) func `an arrow key leads from the field to the rows`() async throws
    {
      try await site.openLive("/dogs?q=great", passing: clock)
      try await site.waitFor("#list li", passing: clock)
      try await browser.click("#q")
      try await browser.type(Key.down)
      #expect(try await browser.focusedText == "Great Dane")
    }
  }
}
