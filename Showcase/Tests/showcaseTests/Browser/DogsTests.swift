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

    @Test(.site(Browser.Options(hasMotion: true)))
    func `the home page searches by itself on the first visit`() async throws {
      try await site.openLive("/")
      try await site.waitForAddress("/?q=shiba")
      try await site.waitFor("#list li")
      #expect(try await browser.value("#q") == "shiba")
      #expect(try await browser.text(".numbers").contains("Keystrokes"))
    }

    @Test(.site) func `the install line can be copied`() async throws {
      try await site.openLive("/")
      try await browser.click(".install button")
      // If access to the clipboard is denied, the text is selected.
      try await eventually("it is copied or selected") {
        try await ["Copied", "Selected"].contains(browser.text(".install button"))
      }
      try await eventually("it can be copied again") {
        try await browser.text(".install button") == "Copy"
      }
    }

    /// Uses the real clock, because the keys must arrive faster than the server responds.
    @Test(.site) func `a naive search shows the wrong results`() async throws {
      try await site.openLive("/")
      try await browser.click("[data-live-hook=type]")
      try await site.waitFor("#list li")
      #expect(try await site.texts("#list li") == ["Shiba Inu"])
      try await site.waitFor(".naive.is-wrong")
      try await eventually("the slowest response has come") {
        try await browser.text(".shown") == "Shows results for “s”, the field says “shiba”"
      }
      #expect(try await site.texts("#phone li") == ["Shiba Inu"])
      #expect(try await browser.text("#sent") == "5")
      #expect(try await browser.text(".numbers [data-key=requests]") == "1")
      // The measured sizes: the newest update, and the transferred scripts.
      let bytes = try #require(Int(try await browser.text("#bytes").prefix { $0.isNumber }))
      #expect((100...1_500).contains(bytes))
      let own: Double = try await browser.run(
        """
        return performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"))
          .reduce((sum, one) => sum + one.encodedBodySize, 0) / 1000;
        """, returning: Double.self)
      #expect(try await browser.text("#weight").hasSuffix(" kB"))
      #expect(abs((Double(try await browser.text("#weight").dropLast(3)) ?? 0) - own) < 0.1)
    }

    @Test(.site(isTimed: true)) func `an arrow key leads from the field to the rows`() async throws
    {
      try await site.openLive("/dogs?q=great", passing: clock)
      try await site.waitFor("#list li", passing: clock)
      try await browser.click("#q")
      try await browser.type(Key.down)
      #expect(try await browser.focusedText == "Great Dane")
    }

    @Test(.site) func `a row leads to its dog and back`() async throws {
      try await site.openList("/dogs?q=samoyed")
      #expect(try await site.texts("#list .meta span").contains("12–14 years"))
      try await browser.run(
        """
        const { left, top } = document.querySelector("#list > li").getBoundingClientRect();
        document.elementFromPoint(left + 30, top + 30).click();
        """)
      try await site.waitFor("#dog .topic")
      #expect(try await browser.text("#dog-name") == "Samoyed")
      try await site.waitForAddress("/dogs/samoyed")
      #expect(try await browser.text(".links [aria-current]") == "Dogs")
      try await browser.type(Key.escape)
      try await site.waitForAddress("/dogs?q=samoyed")
    }
  }
}
