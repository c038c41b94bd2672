import Sandbox
import Testing

extension BrowserTests {
  /// Pages without JavaScript in a real browser; `ServedPageTests` tests the responses.
  @Suite struct PlainPageTests {
    @Test(.site(.plain)) func `the form finds and the links pick`() async throws {
      try await site.open()
      #expect(try await !browser.has("[data-live-ready]"), "the script does not run")
      #expect(try await browser.text(".note").contains("Without JavaScript"))
      try await browser.type("apple/cups", into: "#q")
      try await browser.click("button[type=submit]")
      try await site.waitForIssues(of: "apple/cups")
      #expect(try await browser.url.contains("q=apple%2Fcups"))
      #expect(try await browser.value("#q") == "apple/cups")
      #expect(site.requests == ["/repos/apple/cups", "/repos/apple/cups/issues"])

      let title = try await browser.text("#issues li:first-child .title")
      try await browser.click("#issues li:first-child .row")
      try await site.waitFor("#picked")
      #expect(try await browser.text("#picked-title") == title)
      try await browser.click("#picked .bar a")
      try await site.waitForEnd(of: "#picked")
      try await site.waitForIssues(of: "apple/cups")
      try await browser.back()
      try await site.waitFor("#picked")
    }

    @Test(.site(.plain)) func `back and reload after a refused form show the form`() async throws {
      try await site.open("/issues/new")
      try await browser.type("apple/cups", into: "#repository")
      try await browser.click("#send button")
      try await site.waitFor("#title[aria-invalid]")
      #expect(try await browser.value("#repository") == "apple/cups")
      try await browser.reload()
      try await site.waitFor("#draft")
      try await browser.click("#back")
      try await site.waitForEnd(of: "#draft")
      try await browser.back()
      try await site.waitFor("#draft")
      #expect(site.sandbox.requests.allSatisfy { $0.method != "POST" })
    }

    @Test(.site(.plain, sandbox: .init { $0.failureRate = 1 }, allowing: ["500"]))
    func `a button that does nothing is not shown`() async throws {
      try await site.open("/itunes")
      try await site.waitFor("#failure button.only-live")
      let button = try await browser.find("#failure button")
      #expect(try await !browser.isDisplayed(button))
      let link = try await browser.find("#failure a")
      #expect(try await browser.isDisplayed(link))
    }
  }
}
