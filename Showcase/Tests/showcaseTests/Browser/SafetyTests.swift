import CurlewLive
import Domain
import Foundation
import Sandbox
import Testing

extension BrowserTests {
  @Suite struct SafetyTests {
    /// Whether the page is as the server meant it: nothing of the data became an element or ran.
    private func expectNothingRan() async throws {
      let strange = try await browser.run(
        """
        return document.querySelectorAll(
          "#live script, #live img:not([src^='/images/']), #live b, #live iframe, [onerror], [href^='javascript:']").length
        """, returning: Int.self)
      #expect(strange == 0)
      #expect(try await browser.evaluate("window.__xss === undefined"))
      #expect(try await !browser.title.contains("owned"))
    }

    /// The first issue in all of the sandbox that is as wanted.
    private func find(
      where isWanted: (Domain.Issue) -> Bool
    ) async throws -> Domain.Issue {
      for name in Sandbox.gitHubRepositories.compactMap({ RepositoryName($0) }) {
        if let issue = try await site.trackIssues(name).items.first(where: isWanted) {
          return issue
        }
      }
      throw NeverCame(description: "the sandbox has no such issue")
    }

    @Test(.site) func `markup in the data is shown as text`() async throws {
      let title = try await find { $0.title.contains("<script>") }
      let body = try await find { $0.body.contains("onerror=") }
      for issue in [title, body] {
        try await site.openIssues(of: "\(issue.repository)")
        let row = "[data-key='\(issue.repository) \(issue.number)'] .row"
        #expect(try await browser.text("\(row) .title") == issue.title)
        try await browser.click(row)
        try await eventually("it is shown") {
          try await browser.text("#picked-title") == issue.title
        }
        let text: String = try await browser.evaluate(
          "document.querySelector('#picked .body').textContent")
        for tag in issue.body.matches(of: #/<[a-z][^>\n]*>/#) {
          #expect(text.contains(tag.0), "a tag is text")
        }
        try await expectNothingRan()
      }
      // The same, drawn by the server.
      try await browser.reload()
      try await site.waitFor("#picked")
      try await expectNothingRan()
    }

    private static let attacks = [
      #""><script>window.__xss = 1</script>"#, "'><img src=x onerror='window.__xss=1'>",
      "{{title}}{{{head}}}", "</main></div><script>window.__xss = 1</script>",
    ]

    @Test(.site) func `markup in the address or the field is shown as text`() async throws {
      for attack in Self.attacks {
        let query: LiveQuery = ["q": attack]
        try await browser.open(site.origin + "/issues" + query.text)
        try await site.waitFor("#idle")
        #expect(try await browser.value("#q") == attack)
        try await expectNothingRan()
        try await site.openLive()
        try await browser.type(attack, into: "#q")
        try await eventually("the address follows") { try await browser.url.contains("?q=") }
        try await expectNothingRan()
      }
    }

    @Test(.site) func `control characters in the address do no harm`() async throws {
      try await browser.open(site.origin + "/issues?q=a%00%01%0A%E2%80%A8b%FF&issue=%00")
      try await site.waitFor("#idle")
      try await browser.type("x", into: "#q")
      try await eventually("it goes on working") { try await browser.url.contains("q=") }
    }

    /// The console tells of it, which is what is looked for here.
    @Test(.site(allowing: ["Content Security Policy"])) func `code that slips in does not run`()
      async throws
    {
      try await site.openLive()
      try await browser.run(
        """
        const script = document.createElement("script");
        script.textContent = "window.__xss = 1";
        document.body.append(script);
        """)
      #expect(try await browser.evaluate("window.__xss === undefined"))
      let lines = try await browser.console()
      #expect(lines.contains { $0.message.contains("Content Security Policy") })
    }

    @Test(
      .site(allowing: ["404"]), .serialized,
      arguments: ["/%3Cscript%3Ewindow.__xss=1%3C/script%3E", "/issues/1", "/nowhere"])
    func `an address that leads nowhere says so`(path: String) async throws {
      try await site.open(path)
      #expect(try await browser.text("h1") == "There is no such page")
      try await expectNothingRan()
      try await browser.click(".notice a")
      try await site.waitFor(".home")
    }
  }
}
