import Domain
import Foundation
import Testing

extension BrowserTests {
  @Suite struct AddressTests {
    private func expectPlace(
      _ site: Site, _ address: String, text: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let (url, value) = (try await site.browser.url, try await site.browser.value("#q"))
      #expect(url == site.origin + address, sourceLocation: sourceLocation)
      #expect(value == text, sourceLocation: sourceLocation)
    }

    @Test(
      .serialized,
      arguments: [
        "/repositories?language=swift&page=1", "/itunes?country=us&limit=25",
        "/issues?q=apple%2Fcups",
      ])
    func anAddressInOtherWordsDoesNotHoldTheBackButton(address: String) async throws {
      try await withSite { site in
        try await site.openLive("/dogs")
        try await site.openLive(address)
        try await eventually("the address is spelled as the page does") {
          try await site.browser.url != site.origin + address
        }
        try await site.browser.back()
        try await site.waitForAddress("/dogs")
      }
    }

    @Test func theAddressFollowsAndTheBackButtonLeadsBack() async throws {
      try await withSite { site in
        let browser = site.browser
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
        // The field is the user's own again.
        try await browser.type("x", into: "#q")
        try await site.waitFor("#empty")
        try await expectPlace(site, "/issues?q=moya/moyax", text: "moya/moyax")
      }
    }

    @Test func theBackButtonClosesAnIssue() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/issues?q=apple/cups")
        try await site.waitForIssues(of: "apple/cups")
        try await browser.click("#issues li:nth-child(2) .row")
        try await site.waitFor("#picked")
        #expect(try await browser.url.contains("&issue="))
        try await browser.back()
        try await eventually("it is closed") { try await !browser.has("#picked") }
        try await browser.forward()
        try await site.waitFor("#picked")
      }
    }

    @Test func anIssuesAddressOpensDirectly() async throws {
      try await withSite { site in
        let name = try #require(try await site.firstIssue(of: "moya/moya"))
        try await site.openLive("/issues?q=moya/moya&issue=\(name.number)")
        try await site.waitFor("#picked")

        #expect(try await site.browser.value("#q") == "moya/moya")
        #expect(try await site.browser.text("#picked-title") == name.title)
        #expect(try await site.browser.title.hasPrefix("#\(name.number) "))
        try await site.browser.reload()
        try await site.waitFor("#picked")
      }
    }

    @Test func anExampleIsOneClickAway() async throws {
      try await withSite { site in
        try await site.openLive()
        try await site.browser.click(".examples li:nth-child(3) a")
        try await site.waitForIssues(of: "apple/cups")
        try await expectPlace(site, "/issues?q=apple/cups", text: "apple/cups")
      }
    }
  }
}
