import Domain
import Testing
import showcase

extension BrowserTests {
  @Suite struct RepositoryTests {
    @Test(.site) func `a click leads from the list to the detail to its issues and back`()
      async throws
    {
      try await site.openList("/repositories?language=swift")
      let name = "vapor/vapor"
      try await browser.click("#list [data-live-value='\(name)']")
      try await site.waitForAddress("/repositories/\(name)")
      try await site.waitFor("#repository")
      #expect(try await browser.text("h1") == name)
      #expect(try await browser.title.hasPrefix(name))
      let found = try await site.host.repository(named: try #require(RepositoryName(name)))
      let expected = try #require(found)
      #expect(
        try await site.texts("#repository dd") == [
          try #require(expected.stars?.grouped), try #require(expected.forks?.grouped),
          "\(try #require(expected.watchers))", "\(try #require(expected.openIssues))",
        ])
      #expect(try await site.texts("#topics li") == expected.topics)
      #expect(try await site.texts("#licence") == [expected.licence].compactMap(\.self))
      #expect(try await browser.attribute("rel", of: "#link") == "noopener noreferrer external")

      try await browser.click("#issues-link")
      try await site.waitForAddress("/issues?q=\(name)")
      try await site.waitForIssues(of: name)
      try await browser.back()
      try await site.waitFor("#repository")
      #expect(try await browser.text("#back") == "Repositories in Swift")
      try await browser.back()
      try await site.waitForAddress("/repositories?language=swift")
      try await site.waitForRows()
    }

    @Test(.site) func `the keyboard alone is enough`() async throws {
      try await site.openList("/repositories?language=go")
      let name = try await site.texts("#list .name")[1]
      try await browser.click("#language")
      try await browser.type(Key.down + Key.down + Key.enter)
      try await site.waitForAddress("/repositories/\(name)")
      try await site.waitFor("#repository")
      // Escape navigates back.
      try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
      try await browser.type(Key.escape)
      try await site.waitForAddress("/repositories?language=go")
    }
  }
}
