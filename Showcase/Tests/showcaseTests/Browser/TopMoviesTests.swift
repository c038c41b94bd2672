import Application
import CurlewTesting
import Domain
import Foundation
import Sandbox
import Testing

extension BrowserTests {
  @Suite struct TopMoviesTests {
    @Test(.site(sandbox: .init { $0.damagedEntries = 1 })) func `what was opened stays open`()
      async throws
    {
      try await site.openList("/itunes")
      try await browser.click("summary")
      #expect(try await browser.has("details[open]"))
      let before = site.requests.count
      try await browser.click("#refresh")
      try await eventually("the list is asked for again") { site.requests.count > before }
      try await site.waitForRows()
      try await eventually("the list is calm again") {
        try await !browser.has("#status.is-loading")
      }
      #expect(try await browser.has("details[open]"))
    }

    @Test(.site) func `cards say just what the rows say`() async throws {
      try await site.openLive("/itunes")
      try await site.waitForRows("25") { $0 == 25 }
      let rows = try await site.store.topMovies(in: "us", limit: 25).items
        .map { StoreMovieRow($0) }
      #expect(try await site.texts("#list h2") == rows.map(\.title))
      #expect(try await site.texts("#list .meta") == rows.map(\.releaseDate))
      #expect(try await site.texts("#list .price") == rows.map(\.price))
      #expect(try await site.texts("#list .rental") == rows.map(\.rental).filter { !$0.isEmpty })
      #expect(try await site.texts("#list .topic") == rows.map(\.category))
      #expect(try await site.texts("#list .summary") == rows.map(\.summary))
      #expect(try await site.texts("#list .rank") == (1...25).map { "\($0)" })
      #expect(
        try await site.attributes("href", of: "#list h2 a")
          == rows.compactMap { $0.link?.absoluteString })
      let external = "noopener noreferrer external"
      #expect(try await Set(site.attributes("rel", of: "#list h2 a")) == [external])
      #expect(try await site.texts("#end") == ["These are all 25."])
    }

    @Test(.site) func `country and length are chosen and stand in the address`() async throws {
      try await site.openLive("/itunes")
      try await site.waitForRows("25") { $0 == 25 }
      try await choose("Top 1", in: "#limit")
      try await site.waitForRows("10") { $0 == 10 }
      try await site.waitForAddress("/itunes?limit=10")
      try await choose("g", in: "#country")
      try await site.waitForAddress("/itunes?country=de&limit=10")
      try await eventually("it is Germany's") {
        try await browser.text("#status") == "Germany: 10 movies, best sellers first"
      }
      #expect(try await browser.text(".price").hasSuffix("EUR"))
      #expect(try await browser.title == "Top movies, Germany")

      try await browser.back()
      try await site.waitForAddress("/itunes?limit=10")
      try await eventually("the choice follows") { try await browser.value("#country") == "us" }
      try await browser.reload()
      try await site.waitForRows("10") { $0 == 10 }
      #expect(try await browser.value("#limit") == "10")
    }

    /// Presses a key in a choice.
    private func choose(_ key: String, in selector: String) async throws {
      try await browser.run("document.querySelector(arguments[0]).focus()", selector)
      try await browser.type(key)
    }

    @Test(.site) func `what an address says opens directly and stays as it is`() async throws {
      try await site.openLive("/itunes?country=jp&limit=50")
      try await site.waitForRows("more than usual") { $0 > 25 }
      #expect(try await browser.url == site.origin + "/itunes?country=jp&limit=50")
      // What there is not to choose is left at what is usual.
      try await site.openLive("/itunes?country=xx&limit=7")
      try await site.waitForRows("25") { $0 == 25 }
      #expect(try await browser.value("#country") == "us")
    }

    @Test(.site(sandbox: .init { $0.latency = .seconds(600) }, isTimed: true, allowing: ["500"]))
    func `slow and failing lists show it`() async throws {
      try await site.openLive("/itunes", passing: clock)
      try await site.waitFor("#skeleton")
      clock.advance(by: .seconds(600))
      try await site.waitForRows()
      site.sandbox.update { options in
        options.latency = .zero
        options.failureRate = 1
      }
      try await browser.click("#refresh")
      try await site.waitFor("#failure.toast")
      #expect(try await browser.has("#list > li"), "what is there stays")
      site.sandbox.update { $0.failureRate = 0 }
      try await browser.click("#failure a")
      try await site.waitForEnd(of: "#failure")
      try await site.waitForRows()
    }
  }
}
