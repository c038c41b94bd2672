import Sandbox
import Testing

extension BrowserTests {
  /// Without JavaScript.
  @Suite struct PlainPageTests {
    @Test(.site(.plain)) func `the form finds and the links pick`() async throws {
      try await site.open()
      #expect(try await !browser.has("[data-live-ready]"), "the script does not run")
      #expect(try await browser.text(".note").contains("without JavaScript"))
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

    @Test(.site(.plain)) func `hints and nothing found and examples work`() async throws {
      try await site.open()
      try await browser.type("app" + Key.enter, into: "#q")
      try await eventually("it says what to type") {
        try await browser.text("#status").hasPrefix("Type a repository as owner/name")
      }
      #expect(site.requests.isEmpty)
      try await browser.type("le/nothing" + Key.enter, into: "#q")
      try await site.waitFor("#empty")
      try await site.open()
      try await browser.click(".examples li:nth-child(3) a")
      try await site.waitForIssues(of: "apple/cups")
    }

    @Test(.site(.plain, sandbox: .init { $0.latency = .seconds(5) }))
    func `content that takes long comes by itself`() async throws {
      try await site.open("/issues?q=apple/cups")
      try await site.waitFor("#skeleton")
      site.sandbox.update { $0.latency = .zero }
      try await site.waitForIssues(of: "apple/cups")
    }
  }
}
