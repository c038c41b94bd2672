import Curlew
import Domain
import Foundation
import Sandbox
import Testing

extension BrowserTests {
  /// Cached content while its server is unreachable.
  @Suite struct OfflineTests {
    /// Addresses of pages, each with a selector for its content.
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
        // Without scrolling, an automatically loaded next page would be missing in the cache.
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
        // Content that is not cached shows an error, and the other pages become offline.
        try await site.openLive("/issues?q=apple/swift-nio")
        try await eventually("the failure is told") {
          try await text(site).contains("The issues could not be loaded")
        }
        try await site.openLive("/repositories/apple/swift")
        try await eventually("the page says that it is offline") {
          try await text(site).contains("Offline: from")
        }

        // The server is reachable again, which a request of another page detects.
        let port = try #require(site.sandbox.baseURL.split(separator: ":").last.flatMap { Int($0) })
        let sandbox = try await Sandbox.start(port: port)
        // An earlier connection attempt may still fail.
        try await eventually("the server is reached") {
          (try? await site.store.topMovies(in: "de", limit: 10)) != nil
        }
        try await eventually("the page is refreshed") { try await !text(site).contains("Offline") }
        await sandbox.stop()
      }
    }
  }
}
