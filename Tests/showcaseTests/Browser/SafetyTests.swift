import Domain
import Foundation
import Testing

extension BrowserTests {
  @Suite struct SafetyTests {
    /// Whether the page is as the server meant it: nothing of the data became an element or ran.
    private func expectNothingRan(_ browser: Browser) async throws {
      let strange = try await browser.run(
        """
        return document.querySelectorAll(
          "#live script, #live img, #live b, #live iframe, [onerror], [href^='javascript:']").length
        """, returning: Int.self)
      #expect(strange == 0)
      #expect(try await browser.run("return window.__xss === undefined", returning: Bool.self))
      #expect(try await !browser.title.contains("owned"))
    }

    @Test func markupInTheDataIsShownAsText() async throws {
      try await withSite { site in
        let browser = site.browser
        let name = try #require(RepositoryName("apple/swift"))
        let issues = try await site.trackIssues(name)
        let title = try #require(issues.first { $0.title.contains("<script>") })
        let body = try #require(issues.first { $0.body.contains("onerror") })
        try await site.openLive("/issues?q=apple/swift")
        try await site.waitForIssues(of: "apple/swift")
        for issue in [title, body] {
          let row = "[data-live-value='\(issue.number)']"
          #expect(try await browser.text("\(row) .title") == issue.title)
          try await browser.click(row)
          try await eventually("it is shown") {
            try await browser.text("#picked-title") == issue.title
          }
          let text = try await browser.run(
            "return document.querySelector('#picked .body').textContent", returning: String.self)
          #expect(text == issue.body)
          try await expectNothingRan(browser)
        }
        // The same, drawn by the server.
        try await browser.reload()
        try await site.waitFor("#picked")
        try await expectNothingRan(browser)
      }
    }

    @Test(arguments: [
      #""><script>window.__xss = 1</script>"#, "'><img src=x onerror='window.__xss=1'>",
      "{{title}}{{{head}}}", "</main></div><script>window.__xss = 1</script>", "\u{0}\u{1}",
    ])
    func markupInTheAddressOrTheFieldIsShownAsText(attack: String) async throws {
      try await withSite { site in
        let browser = site.browser
        var address = try #require(URLComponents(string: site.origin + "/issues"))
        address.queryItems = [URLQueryItem(name: "q", value: attack)]
        try await browser.open(try #require(address.string))
        try await site.waitFor("#idle")
        try await expectNothingRan(browser)
        try await site.openLive()
        try await site.browser.type(attack.filter { $0.isASCII && $0 >= " " }, into: "#q")
        try await eventually("the text is known") {
          try await browser.url.contains("q=")
        }
        try await expectNothingRan(browser)
      }
    }

    @Test func codeThatSlipsInDoesNotRun() async throws {
      // The console tells of it, which is what is looked for here.
      try await withSite(allowing: ["Content Security Policy"]) { site in
        try await site.openLive()
        try await site.browser.run(
          """
          const script = document.createElement("script");
          script.textContent = "window.__xss = 1";
          document.body.append(script);
          """)
        #expect(
          try await site.browser.run("return window.__xss === undefined", returning: Bool.self))
        let lines = try await site.browser.console()
        #expect(lines.contains { $0.message.contains("Content Security Policy") })
      }
    }

    @Test(arguments: ["/%3Cscript%3Ewindow.__xss=1%3C/script%3E", "/issues/1", "/nowhere"])
    func anAddressThatLeadsNowhereSaysSo(path: String) async throws {
      try await withSite(allowing: ["404"]) { site in
        try await site.open(path)
        #expect(try await site.browser.text("h1") == "There is no such page")
        try await expectNothingRan(site.browser)
        try await site.browser.click(".notice a")
        try await site.waitFor("#idle")
      }
    }
  }
}
