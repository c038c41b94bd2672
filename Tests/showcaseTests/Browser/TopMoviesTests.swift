import Application
import CurlewTesting
import Domain
import Foundation
import Sandbox
import TestSupport
import Testing

extension BrowserTests {
  @Suite struct TopMoviesTests {
    @Test func arrowKeysChoose() async throws {
      try await withSite { site in
        try await site.openLive("/itunes")
        try await site.waitForRows()
        try await site.browser.run("document.querySelector('#country').focus()")
        try await site.browser.type(Key.down)
        try await site.waitForAddress("/itunes?country=gb")
        try await site.waitForRows()
      }
    }

    @Test func whatWasOpenedStaysOpen() async throws {
      var options = Sandbox.Options()
      options.damagedEntries = 1
      try await withSite(sandbox: options) { site in
        try await site.openLive("/itunes")
        try await site.waitForRows()
        try await site.browser.click("summary")
        #expect(try await site.browser.has("details[open]"))
        let before = site.requests.count
        try await site.browser.click("#refresh")
        try await eventually("the list is asked for again") { site.requests.count > before }
        try await site.waitForRows()
        try await eventually("the list is calm again") {
          try await !site.browser.has("#status.is-loading")
        }
        #expect(try await site.browser.has("details[open]"))
      }
    }

    @Test func cardsSayJustWhatTheRowsSay() async throws {
      try await withSite { site in
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
    }

    @Test func countryAndLengthAreChosenAndStandInTheAddress() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/itunes")
        try await site.waitForRows("25") { $0 == 25 }
        try await choose("Top 1", in: "#limit", browser)
        try await site.waitForRows("10") { $0 == 10 }
        try await site.waitForAddress("/itunes?limit=10")
        try await choose("g", in: "#country", browser)
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
    }

    @Test func theKeyboardChooses() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/itunes")
        try await site.waitForRows()
        try await choose("f", in: "#country", browser)
        try await site.waitForAddress("/itunes?country=fr")
        try await eventually("it is France's") {
          try await browser.text("#status").hasPrefix("France: 25")
        }
        // Past the other choice and the refresh, into the list.
        try await browser.type(Key.tab + Key.tab + Key.tab)
        let first = try await site.texts("#list h2")[0]
        #expect(try await focus(browser) == first)
        try await browser.type(Key.down)
        let second = try await site.texts("#list h2")[1]
        #expect(try await focus(browser) == second)
      }
    }

    /// Presses a key in a choice.
    private func choose(_ key: String, in selector: String, _ browser: Browser) async throws {
      try await browser.run("document.querySelector(arguments[0]).focus()", selector)
      try await browser.type(key)
    }

    private func focus(_ browser: Browser) async throws -> String {
      try await browser.run("return document.activeElement.textContent", returning: String.self)
    }

    @Test func whatAnAddressSaysOpensDirectlyAndStaysAsItIs() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive("/itunes?country=jp&limit=50")
        try await site.waitForRows("more than usual") { $0 > 25 }
        #expect(try await browser.url == site.origin + "/itunes?country=jp&limit=50")
        // What there is not to choose is left at what is usual.
        try await site.openLive("/itunes?country=xx&limit=7")
        try await site.waitForRows("25") { $0 == 25 }
        #expect(try await browser.value("#country") == "us")
      }
    }

    @Test(.serialized, arguments: [1, 3])
    func damagedEntriesAreReportedAndTheOthersShown(count: Int) async throws {
      try await withSite(sandbox: .init(damagedEntries: count)) { site in
        let browser = site.browser
        try await site.openLive("/itunes")
        try await site.waitForRows("the others") { $0 == 25 - count }
        let words =
          count == 1
          ? "1 entry could not be read and was left out."
          : "3 entries could not be read and were left out."
        #expect(try await browser.text("#left-out summary") == words)
        #expect(try await site.texts("#left-out li").count == count)
        let ranks = try await site.texts("#list .rank").compactMap { Int($0) }
        #expect(ranks.count == 25 - count)
        #expect(ranks.last == 25, "the ranks stay those of the feed")
      }
    }

    @Test func nothingButDamageIsAFailure() async throws {
      try await withSite(sandbox: .init(damagedEntries: 25)) { site in
        try await site.openLive("/itunes")
        try await site.waitFor("#failure.notice")
        try site.sandbox.update { $0.damagedEntries = 0 }
        try await site.browser.click("#failure a")
        try await site.waitForRows("25") { $0 == 25 }
      }
    }

    @Test func slowAndFailingListsShowIt() async throws {
      let clock = TestClock()
      let options = Sandbox.Options(latency: .seconds(600))
      try await withSite(sandbox: options, clock: clock, allowing: ["500"]) { site in
        let browser = site.browser
        try await site.openLive("/itunes", passing: clock)
        try await site.waitFor("#skeleton")
        clock.advance(by: .seconds(600))
        try await site.waitForRows()
        try site.sandbox.update { options in
          options.latency = .zero
          options.failureRate = 1
        }
        try await browser.click("#refresh")
        try await site.waitFor("#failure.toast")
        #expect(try await browser.has("#list > li"), "what is there stays")
        try site.sandbox.update { $0.failureRate = 0 }
        try await browser.click("#failure a")
        try await site.waitForEnd(of: "#failure")
        try await site.waitForRows()
      }
    }
  }
}
