import Domain
import Sandbox
import Testing

extension BrowserTests {
  @Suite struct RepositoriesTests {
    private static let search = "/search/repositories"

    @Test(.site) func `reload brings back the place in the list`() async throws {
      try await site.openLive("/repositories")
      try await browser.type("swift" + Key.enter, into: "#language")
      try await site.waitForRows()
      let entries = "return history.length"
      let before = try await browser.run(entries, returning: Int.self)
      // The number of pages loaded without scrolling depends on the window and on the time.
      try await eventually("there are 40 of the 55 rows") {
        try await site.scrollDown()
        return try await site.rows() >= 40
      }
      try await site.waitForRows()
      try await eventually("the address says how many pages there are") {
        try await browser.url.contains(#/[?&]pages=[3-9]/#)
      }
      #expect(
        try await browser.run(entries, returning: Int.self) == before, "no entries of its own")
      let scroll: Int = try await browser.evaluate("Math.round(scrollY)")
      let rows = try await site.rows()
      // Chrome stores a scroll position only after a second, and sends no event about it.
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

    @Test(.site) func `a filter is dismissed by Escape, and back undoes it`() async throws {
      try await site.openLive("/repositories?language=swift")
      try await site.waitForRows()
      try await browser.click("#filter-link")
      try await site.waitForAddress("/repositories?language=swift&filter=0")
      try await browser.click("#filter [data-key='10000']")
      try await site.waitFor("#filter [data-key='10000'][aria-current]")
      try await browser.type(Key.escape)
      try await eventually("the filter is closed") { try await !browser.has("#filter") }
      try await site.waitForAddress("/repositories?language=swift")
      #expect(try await browser.text("#filter-link") == "Filter")

      try await browser.click("#filter-link")
      try await site.waitFor("#filter")
      try await browser.click("#filter [data-key='10000']")
      try await site.waitFor("#filter [data-key='10000'][aria-current]")
      try await browser.click("#apply")
      try await site.waitForAddress("/repositories?language=swift&stars=10000")
      try await eventually("the list is filtered") {
        try await browser.text("#status").contains("10,000 stars")
      }
      try await browser.run("history.go(-2)")
      try await eventually("the whole list is back") {
        let text = try await browser.text("#status")
        return try await !browser.has("#filter") && text.hasPrefix("55 repositories in swift")
      }
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
      #expect(try await browser.text("#end") == "All \(total) are shown.")
      #expect(try await !browser.has("#more"))
      #expect(try await browser.text("#status") == "\(total) repositories in ruby")
      let queries = site.queries(of: Self.search)
      #expect(Set(queries).count == queries.count, "each page once")
      try await site.waitForAddress("/repositories?language=ruby")
    }
  }
}
