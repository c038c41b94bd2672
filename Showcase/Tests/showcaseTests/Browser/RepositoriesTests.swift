import Application
import CurlewScreens
import CurlewTesting
import Domain
import Foundation
import Sandbox
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  @Suite struct RepositoriesTests {
    private static let search = "/search/repositories"

    @Test(.site) func `reload brings back the place in the list`() async throws {
      try await site.openLive("/repositories")
      try await browser.type("swift" + Key.enter, into: "#language")
      let first = try await site.waitForRows()
      let entries = "return history.length"
      let before = try await browser.run(entries, returning: Int.self)
      try await site.scrollDown()
      try await site.waitForRows("more") { $0 > first }
      try await site.scrollDown()
      try await site.waitForRows("still more") { $0 > first * 2 }
      try await eventually("the address says how many pages there are") {
        try await browser.url.contains(#/[?&]pages=[3-9]/#)
      }
      #expect(
        try await browser.run(entries, returning: Int.self) == before, "no entries of its own")
      let scroll: Int = try await browser.evaluate("Math.round(scrollY)")
      let rows = try await site.rows()
      // Chrome keeps a position only when it is a second old, and says nothing of that.
      try await Task.sleep(for: .seconds(2))
      try await browser.reload()
      try await eventually("the same rows are there") { try await site.rows() >= rows }
      var now = -1
      try? await eventually("at the same place") {
        now = try await browser.evaluate("Math.round(scrollY)")
        return now == scroll
      }
      #expect(now == scroll && scroll > 500, "\(now), before \(scroll)")
    }

    @Test(.site) func `typing a language shows its repositories by stars`() async throws {
      try await site.openLive("/repositories")
      #expect(try await browser.has("#idle"))
      try await browser.type("kotlin", into: "#language")
      try await site.waitForRows()
      try await site.waitForAddress("/repositories?language=kotlin")
      #expect(try await browser.title == "kotlin · Repositories")

      let expected = try await site.host.repositories(in: "kotlin", page: 1)
      let names = try await site.texts("#list .name").prefix(expected.items.count)
      #expect(Array(names) == expected.items.map { "\($0.name)" })
      let stars = try await site.texts("#list .fact:nth-child(2)").first
      let count = try #require(expected.items[0].stars)
      #expect(stars == "\(RepositoryRow.short(count)) stars")
      let total = try #require(expected.total)
      #expect(try await browser.text("#status").hasPrefix("\(total) repositories in kotlin"))
      // One search for six keys.
      #expect(site.queries(of: Self.search).filter { $0.contains("page=1&") }.count <= 2)
    }

    @Test(.site) func `the list goes on to its end and shows nothing twice`() async throws {
      try await browser.becomePhone()
      let first = try await site.openList("/repositories?language=ruby")
      let total = try #require(try await site.host.repositories(in: "ruby", page: 1).total)
      #expect(first < total, "the end is not loaded before anybody goes there")
      site.sandbox.forgetRequests()
      try await site.scrollToTheEnd()

      let names = try await site.texts("#list .name")
      #expect(names.count == total)
      #expect(Set(names).count == total)
      #expect(try await browser.text("#end") == "These are all \(total).")
      #expect(try await !browser.has("#more"))
      #expect(try await browser.text("#status") == "\(total) repositories in ruby")
      let queries = site.queries(of: Self.search)
      #expect(Set(queries).count == queries.count, "each page once")
      try await site.waitForAddress("/repositories?language=ruby")
    }

    @Test(.site(allowing: ["500"])) func `a page that fails leaves those before it`() async throws {
      try await browser.becomePhone()
      try await site.openLive("/repositories?language=swift")
      let first = try await site.waitForRows("two pages") { $0 >= 20 }
      let names = try await site.texts("#list .name")
      site.sandbox.update { $0.failureRate = 1 }
      try await site.scrollDown()
      try await site.waitFor("#failure.toast")
      #expect(try await site.texts("#list .name") == names)
      #expect(try await !browser.has("#list.is-old"))
      #expect(
        try await browser.text("#status") == "\(first) are shown; the next could not be loaded.")
      // The error can be put away; what it means for the list stays.
      try await browser.click("#failure button")
      try await site.waitForEnd(of: "#failure")
      #expect(try await browser.text("#more a") == "Try the next page again")

      site.sandbox.update { $0.failureRate = 0 }
      try await browser.run("document.querySelector('#more a').click()")
      try await site.waitForRows("more") { $0 > first }
      #expect(try await Array(site.texts("#list .name").prefix(first)) == names)
      #expect(try await !browser.has("#failure"))
    }

    @Test(.site(sandbox: .init { $0.failureRate = 1 }))
    func `nothing there is a failure that can be repeated and put away`() async throws {
      try await site.openLive("/repositories?language=swift")
      try await site.waitFor("#failure.notice")
      #expect(try await browser.text("#status") == "The repositories could not be loaded.")
      #expect(try await browser.attribute("role", of: "#failure .words .words") == "alert")
      try await browser.click("#failure button")
      try await site.waitFor("#unloaded")
      #expect(try await !browser.has("#failure"))

      site.sandbox.update { $0.failureRate = 0 }
      try await browser.click("#unloaded a")
      try await site.waitForRows()
      #expect(try await !browser.has("#unloaded"))
    }

    @Test(.site(sandbox: .init { $0.incompleteResults = true }))
    func `partial results are said to be and looked for again`() async throws {
      try await site.openList("/repositories?language=rust")
      #expect(try await browser.text("#partial p").hasPrefix("GitHub had no time"))
      site.sandbox.update { $0.incompleteResults = false }
      try await browser.click("#partial a")
      try await site.waitForEnd(of: "#partial")
      try await site.waitForRows()
    }

    @Test(.site) func `an unknown language is nothing found`() async throws {
      try await site.openLive("/repositories")
      try await browser.type("klingon", into: "#language")
      try await site.waitFor("#empty")
      #expect(try await browser.text("#status") == "Nothing found for klingon.")
      #expect(try await browser.text("#empty strong") == "klingon")
      // From there it goes on.
      try await browser.click("#empty .examples li:nth-child(3) a")
      try await site.waitForAddress("/repositories?language=Rust")
      try await site.waitForRows()
      #expect(try await browser.value("#language") == "Rust")
    }

    @Test(.site(isTimed: true)) func `refreshing keeps the rows until the new ones are there`()
      async throws
    {
      try await site.openList("/repositories?language=c")
      site.sandbox.update { $0.latency = .seconds(1) }
      try await browser.click("#refresh")
      try await site.waitFor("#list.is-old")
      clock.advance(by: .milliseconds(200))
      try await site.waitFor("#progress.is-on")
      #expect(try await browser.has("#list.is-old"))
      #expect(try await !browser.has("#skeleton"))
      try await eventually("there are rows, and nothing loads any more", passing: clock) {
        let isOn = try await browser.has("#progress.is-on")
        return try await site.rows() > 0 && !isOn
      }
    }

    /// On a clock of its own: how fast the machine is must not decide what takes long.
    @Test(.site(sandbox: .init { $0.latency = .seconds(1) }, isTimed: true))
    func `a skeleton is shown only where it takes long`() async throws {
      try await site.openLive("/repositories")
      try await browser.type("go" + Key.enter, into: "#language")
      try await site.waitFor("#status.is-loading")
      #expect(try await !browser.has("#skeleton, #progress.is-on"))
      clock.advance(by: .milliseconds(200))
      try await site.waitFor("#skeleton")
      #expect(try await browser.has("#progress.is-on"))
      try await eventually("there are rows, and nothing loads any more", passing: clock) {
        let isOn = try await browser.has("#progress.is-on")
        return try await site.rows() > 0 && !isOn
      }
      #expect(try await !browser.has("#skeleton"))

      // From here on no time goes by at all.
      site.sandbox.update { $0.latency = .zero }
      try await browser.run(
        """
        window.skeletons = 0;
        addEventListener("live:state", () => {
          if (document.querySelector("#skeleton, #progress.is-on")) skeletons += 1;
        });
        """)
      try await browser.type(String(repeating: Key.backspace, count: 2), into: "#language")
      try await site.waitFor("#idle")
      try await browser.type("rust" + Key.enter)
      try await site.waitForRows()
      #expect(try await browser.evaluate("skeletons") == 0)
    }
  }
}
