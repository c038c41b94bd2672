import Sandbox
import Testing

extension BrowserTests {
  /// The lists without JavaScript.
  @Suite struct PlainListTests {
    @Test(.site(.plain)) func `the next page is a link`() async throws {
      try await site.open("/repositories")
      try await browser.type("ruby", into: "#language")
      try await browser.click("button[type=submit]")
      try await site.waitForRows("a page") { $0 == 10 }
      #expect(try await !browser.has("#live[data-live-ready]"))
      let first = try await browser.text("#list li:first-child .name")
      #expect(try await !browser.has("[rel=prev]"))
      try await browser.click("[rel=next]")
      try await site.waitForAddress("/repositories?language=ruby&page=2")
      try await site.waitForRows("another page") { $0 == 10 }
      #expect(try await browser.text("#list li:first-child .name") != first)
      try await browser.click("[rel=next]")
      try await site.waitFor("#end")
      #expect(try await browser.text("#end") == "This is the end of the list.")
      #expect(try await !browser.has("[rel=next]"))
      try await browser.click("[rel=prev]")
      try await site.waitForAddress("/repositories?language=ruby&page=2")
      try await browser.click("[rel=prev]")
      try await site.waitForAddress("/repositories?language=ruby")
      #expect(try await browser.text("#list li:first-child .name") == first)

      try await browser.click("#list li:first-child a")
      try await site.waitFor("#repository")
      #expect(try await browser.text("h1") == first)
      try await browser.click("#issues-link")
      try await site.waitFor("#status")
      #expect(try await browser.value("#q") == first)
    }

    @Test(.site(.plain)) func `choices are a form with a button`() async throws {
      try await site.open("/itunes")
      try await site.waitForRows("25") { $0 == 25 }
      try await browser.click("#country option[value=gb]")
      try await browser.click("#limit option[value='10']")
      try await browser.click(".choices button")
      try await site.waitForAddress("/itunes?country=gb&limit=10")
      try await site.waitForRows("10") { $0 == 10 }
      #expect(try await browser.value("#country") == "gb")

      try await site.open("/movies/top-rated")
      try await browser.click("#language option[value=fr-FR]")
      try await browser.click(".choices button")
      try await site.waitForAddress("/movies/top-rated?language=fr-FR")
      try await browser.click("[rel=next]")
      try await site.waitForAddress("/movies/top-rated?language=fr-FR&page=2")
      try await site.waitForRows("a page") { $0 == 20 }
      try await browser.click(".segments a:first-child")
      try await site.waitForAddress("/movies/now-playing?language=fr-FR")
    }

    @Test(.site(.plain, sandbox: .init { $0.failureRate = 1 }, allowing: ["500"]))
    func `failures have a link and no button that does nothing`() async throws {
      for path in [
        "/issues?q=apple/cups", "/repositories?language=go", "/repositories/apple/swift", "/itunes",
        "/movies/top-rated",
      ] {
        site.sandbox.update { $0.failureRate = 1 }
        try await site.open(path)
        try await site.waitFor("#failure")
        let isShown = try await browser.find("#failure button")
        #expect(try await !browser.isDisplayed(isShown))
        site.sandbox.update { $0.failureRate = 0 }
        try await browser.click("#failure a")
        try await site.waitForEnd(of: "#failure")
      }
    }
  }
}
