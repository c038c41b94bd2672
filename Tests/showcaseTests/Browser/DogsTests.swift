import CurlewTesting
import TestSupport
import Testing

extension BrowserTests {
  @Suite struct DogsTests {
    @Test func firstPageIsLiveItself() async throws {
      try await withSite { site in
        let browser = site.browser
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
    }

    @Test func firstPageWorksWithoutJavaScript() async throws {
      try await withSite(Browser.Options(hasJavaScript: false)) { site in
        try await site.open("/")
        try await site.browser.click(".try .chip")
        try await site.waitFor("#list li")
        #expect(try await site.browser.url.hasSuffix("/?q=Great"))
      }
    }

    @Test func theSearchTakesItsTimeAndFinds() async throws {
      let clock = TestClock()
      try await withSite(clock: clock) { site in
        let browser = site.browser
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
        #expect(
          try await browser.run("return document.activeElement.textContent", returning: String.self)
            == "Great Pyrenees")
      }
    }

    @Test func nothingFoundIsNoError() async throws {
      try await withSite { site in
        try await site.openLive("/dogs?q=cat")
        try await site.waitFor("#empty")
        #expect(try await site.browser.text("#status") == "Nothing found for cat.")
        try await site.browser.type(String(repeating: Key.backspace, count: 3), into: "#q")
        try await site.waitFor("#idle")
        try await site.browser.click("#idle .examples a")
        try await site.waitForAddress("/dogs?q=Great")
        try await site.waitForRows("two") { $0 == 2 }
      }
    }
  }
}
