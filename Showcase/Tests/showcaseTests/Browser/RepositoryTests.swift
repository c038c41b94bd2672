import Application
import CurlewTesting
import Domain
import Foundation
import Sandbox
import ShowcaseTestSupport
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
      // Escape leads back.
      try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
      try await browser.type(Key.escape)
      try await site.waitForAddress("/repositories?language=go")
    }

    @Test(.site(isTimed: true)) func `what the list knew is there while the rest is loaded`()
      async throws
    {
      try await site.openList("/repositories?language=rust")
      let name = try await site.texts("#list .name")[0]
      site.sandbox.update { $0.latency = .seconds(3) }
      try await browser.click("#list li:first-child a")
      try await site.waitFor("#repository .bone")
      #expect(try await browser.text("h1") == name)
      #expect(try await site.texts("#status") == ["Loading the rest of \(name)…"])
      #expect(try await site.texts("#repository .bone").count == 1, "watchers only")
      try await eventually("the rest is there", passing: clock) { try await !browser.has(".bone") }
      #expect(try await site.texts("#repository dd").allSatisfy { $0.contains(/^[\d,]+$/) })
    }

    @Test(.site(allowing: ["500"])) func `what the list knew stays when the rest fails`()
      async throws
    {
      try await site.openList("/repositories?language=rust")
      site.sandbox.update { $0.failureRate = 1 }
      try await browser.click("#list li:first-child a")
      // The list may have one, too.
      try await site.waitFor("main:has(#repository) #failure.toast")
      #expect(try await site.texts("#repository dd").dropFirst(2).first == "–")
      #expect(try await site.texts("#status") == ["The rest could not be loaded."])
      site.sandbox.update { $0.failureRate = 0 }
      try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
      try await browser.click("#failure a")
      try await site.waitForEnd(of: "#failure")
      // The failure goes when the load begins.
      try await eventually("the rest is there") {
        try await site.texts("#repository dd").dropFirst(2).first?.contains(/^\d/) == true
      }
    }

    @Test(.site(allowing: ["404"])) func `a name of no repository is not found`() async throws {
      try await site.openLive("/repositories/nobody/nothing")
      try await site.waitFor("#missing")
      #expect(try await browser.text("#missing strong") == "nobody/nothing")
      #expect(try await site.texts("#status") == ["There is no repository nobody/nothing."])
      try await browser.click("#missing a")
      try await site.waitFor("#idle")
      // What can't be a repository's name is no address at all.
      try await site.open("/repositories/-/x")
      #expect(try await browser.text("h1") == "There is no such page")
    }
  }
}
