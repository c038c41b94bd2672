import CurlewTesting
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
      let apps = try await site.attributes("href", of: ".apps a")
      #expect(apps.count == 6)
      for app in apps {
        try await site.open(app)
        #expect(try await browser.has(".links [aria-current]"), "\(app)")
      }
    }

    @Test(.site(.plain))
    func `first page works without JavaScript`() async throws {
      try await site.open("/")
      try await browser.click(".try .chip")
      try await site.waitFor("#list li")
      #expect(try await browser.url.hasSuffix("/?q=Great"))
    }

    @Test(.site(isTimed: true)) func `the search takes its time and finds`() async throws {
      try await site.openLive("/dogs")
      #expect(try await browser.has("#idle"))
      try await browser.type("gre", into: "#q")
      try await eventually("it takes its time", passing: clock) {
        try await browser.has("#skeleton")
      }
      #expect(try await browser.text("#status") == "Looking for gre…")
      try await eventually("there are two", passing: clock) {
        try await browser.text("#status") == "2 results"
      }
      #expect(try await site.texts("#list li") == ["Great Dane", "Great Pyrenees"])
      try await site.waitForAddress("/dogs?q=gre")
      // The old results stay until the new ones are there.
      try await browser.type("at p")
      try await eventually("it looks again", passing: clock) {
        try await browser.has("#list.is-old")
      }
      try await eventually("there is one", passing: clock) {
        try await browser.text("#status") == "1 result"
      }
      #expect(try await site.texts("#list li") == ["Great Pyrenees"])
      try await browser.type(Key.down)
      #expect(try await browser.focusedText == "Great Pyrenees")
    }
  }
}
