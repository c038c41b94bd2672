import Curlew
import Domain
import Foundation
import Sandbox
import Testing

extension BrowserTests {
  /// What was seen, while its server is gone.
  @Suite struct OfflineTests {
    /// Pages, each with what it shows when it is there.
    private static let pages = [
      ("/issues?q=apple/swift", "#issues .row"), ("/repositories?language=swift", "#list > li"),
      ("/repositories/apple/swift", "#repository"), ("/itunes", "#list > li"),
      ("/movies/now-playing", "#list > li"),
    ]

    private func text(_ site: Site) async throws -> String {
      try await site.browser.evaluate("document.querySelector('main').innerText")
    }

    @Test func `every visited page still shows and says so`() async throws {
      var cache = ResponseCache.memory()
      cache.servesUnvalidatedWhenOffline = true
      try await withSite(cache: cache, allowing: ["502"]) { site in
        // A list that went on by itself would miss its next page.
        try await site.browser.devTools(
          "Page.addScriptToEvaluateOnNewDocument",
          ["source": "delete window.IntersectionObserver;"])
        var seen: [String: Int] = [:]
        for (page, element) in Self.pages {
          try await site.openLive(page)
          try await site.waitFor(element)
          seen[page] = try await text(site).count
        }
        await site.sandbox.stop()
        for (page, element) in Self.pages {
          try await site.openLive(page)
          try await site.waitFor(element)
          try await eventually("\(page) shows what it showed") {
            try await text(site).count >= (seen[page] ?? 0) / 2
          }
          #expect(try await !text(site).contains("could not be loaded"), "\(page)")
        }
        // What needs a server says so, and the others know it.
        try await site.openLive("/issues?q=apple/swift-nio")
        try await eventually("the failure is told") {
          try await text(site).contains("The issues could not be loaded")
        }
        try await site.openLive("/repositories/apple/swift")
        try await eventually("the page says that it is offline") {
          try await text(site).contains("Offline: from")
        }

        // The server is back, which another page's request finds out.
        let port = try #require(site.sandbox.baseURL.split(separator: ":").last.flatMap { Int($0) })
        let sandbox = try await Sandbox.start(port: port)
        // A connection attempt of before may still fail.
        try await eventually("the server is reached") {
          (try? await site.store.topMovies(in: "de", limit: 10)) != nil
        }
        try await eventually("the page is refreshed") { try await !text(site).contains("Offline") }
        await sandbox.stop()
      }
    }
  }
}
