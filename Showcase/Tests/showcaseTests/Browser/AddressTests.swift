import Testing

extension BrowserTests {
  @Suite struct AddressTests {
    private func expectPlace(
      _ site: Site, _ address: String, text: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let (url, value) = (try await browser.url, try await browser.value("#q"))
      #expect(url == site.origin + address, sourceLocation: sourceLocation)
      #expect(value == text, sourceLocation: sourceLocation)
    }

    @Test(
      .site, .serialized,
      arguments: [
        "/repositories?language=swift&page=1", "/itunes?country=us&limit=25",
        "/issues?q=apple%2Fcups",
      ])
    func `an address in other words does not hold the back button`(address: String) async throws {
      try await site.openLive("/dogs")
      try await site.openLive(address)
      try await eventually("the address is spelled as the page does") {
        try await browser.url != site.origin + address
      }
      try await browser.back()
      try await site.waitForAddress("/dogs")
    }

    @Test(.site) func `the address follows and the back button leads back`() async throws {
      try await site.openLive()
      try await browser.type("apple/cups", into: "#q")
      try await site.waitForIssues(of: "apple/cups")
      try await expectPlace(site, "/issues?q=apple/cups", text: "apple/cups")
      #expect(try await browser.title.contains("apple/cups"))
      try await browser.type(String(repeating: Key.backspace, count: 10) + "moya/moya")
      try await site.waitForIssues(of: "moya/moya")
      try await expectPlace(site, "/issues?q=moya/moya", text: "moya/moya")

      try await browser.back()
      try await site.waitForIssues(of: "apple/cups")
      try await expectPlace(site, "/issues?q=apple/cups", text: "apple/cups")
      try await browser.back()
      try await site.waitFor("#idle")
      try await expectPlace(site, "/issues", text: "")
      try await browser.forward()
      try await site.waitForIssues(of: "apple/cups")
      try await browser.forward()
      try await site.waitForIssues(of: "moya/moya")
      try await expectPlace(site, "/issues?q=moya/moya", text: "moya/moya")
      // The user's text in the field has priority again.
      try await browser.type("x", into: "#q")
      try await site.waitFor("#empty")
      try await expectPlace(site, "/issues?q=moya/moyax", text: "moya/moyax")
    }
  }
}
