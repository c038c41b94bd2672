import CurlewLive
import Domain
import Foundation
import Sandbox
import Testing

extension BrowserTests {
  @Suite struct SafetyTests {
    /// Whether the page is as the server meant it: nothing of the data became an element or ran.
    private func expectNothingRan(_ browser: Browser) async throws {
      let strange = try await browser.run(
        """
        return document.querySelectorAll(
          "#live script, #live img:not([src^='/images/']), #live b, #live iframe, [onerror], [href^='javascript:']").length
        """, returning: Int.self)
      #expect(strange == 0)
      #expect(try await browser.run("return window.__xss === undefined", returning: Bool.self))
      #expect(try await !browser.title.contains("owned"))
    }

    /// The first issue in all of the sandbox that is as wanted.
    private func find(
      _ site: Site, where isWanted: (Domain.Issue) -> Bool
    ) async throws -> Domain.Issue {
      for name in Sandbox.gitHubRepositories.compactMap({ RepositoryName($0) }) {
        if let issue = try await site.trackIssues(name).items.first(where: isWanted) {
          return issue
        }
      }
      throw NeverCame(description: "the sandbox has no such issue")
    }

    @Test func markupInTheDataIsShownAsText() async throws {
      try await withSite { site in
        let browser = site.browser
        let title = try await find(site) { $0.title.contains("<script>") }
        let body = try await find(site) { $0.body.contains("onerror=") }
        for issue in [title, body] {
          try await site.openLive("/issues?q=\(issue.repository)")
          try await site.waitForIssues(of: "\(issue.repository)")
          let row = "[data-key='\(issue.repository) \(issue.number)'] .row"
          #expect(try await browser.text("\(row) .title") == issue.title)
          try await browser.click(row)
          try await eventually("it is shown") {
            try await browser.text("#picked-title") == issue.title
          }
          let text = try await browser.run(
            "return document.querySelector('#picked .body').textContent", returning: String.self)
          for tag in issue.body.matches(of: #/<[a-z][^>\n]*>/#) {
            #expect(text.contains(tag.0), "a tag is text")
          }
          try await expectNothingRan(browser)
        }
        // The same, drawn by the server.
        try await browser.reload()
        try await site.waitFor("#picked")
        try await expectNothingRan(browser)
      }
    }

    private static let attacks = [
      #""><script>window.__xss = 1</script>"#, "'><img src=x onerror='window.__xss=1'>",
      "{{title}}{{{head}}}", "</main></div><script>window.__xss = 1</script>",
    ]

    @Test func markupInTheAddressOrTheFieldIsShownAsText() async throws {
      try await withSite { site in
        let browser = site.browser
        for attack in Self.attacks {
          let query: LiveQuery = ["q": attack]
          try await browser.open(site.origin + "/issues" + query.text)
          try await site.waitFor("#idle")
          #expect(try await browser.value("#q") == attack)
          try await expectNothingRan(browser)
          try await site.openLive()
          try await browser.type(attack, into: "#q")
          try await eventually("the address follows") { try await browser.url.contains("?q=") }
          try await expectNothingRan(browser)
        }
      }
    }

    @Test func controlCharactersInTheAddressDoNoHarm() async throws {
      try await withSite { site in
        try await site.browser.open(site.origin + "/issues?q=a%00%01%0A%E2%80%A8b%FF&issue=%00")
        try await site.waitFor("#idle")
        try await site.browser.type("x", into: "#q")
        try await eventually("it goes on working") { try await site.browser.url.contains("q=") }
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

    @Test(
      .serialized, arguments: ["/%3Cscript%3Ewindow.__xss=1%3C/script%3E", "/issues/1", "/nowhere"])
    func anAddressThatLeadsNowhereSaysSo(path: String) async throws {
      try await withSite(allowing: ["404"]) { site in
        try await site.open(path)
        #expect(try await site.browser.text("h1") == "There is no such page")
        try await expectNothingRan(site.browser)
        try await site.browser.click(".notice a")
        try await site.waitFor(".home")
      }
    }
  }
}
