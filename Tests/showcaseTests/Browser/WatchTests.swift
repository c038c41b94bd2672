import CurlewTesting
import Sandbox
import TestSupport
import Testing

extension BrowserTests {
  /// A repository that is watched in a browser; the sandbox opens issues as the test lets time pass.
  @Suite struct WatchTests {
    /// The numbers of the rows, with their signs.
    private func numbers(_ site: Site) async throws -> [String] {
      try await site.texts("#issues:not(.is-old) .number").map { $0.replacing("New: ", with: "") }
    }

    /// Opens the page of a repository, and waits until there is nothing new yet.
    private func watch(_ site: Site, _ clock: TestClock, _ name: String = "apple/swift")
      async throws
    {
      try await site.openLive("/watch?q=\(name)")
      try await eventually("it is watched", passing: clock) {
        try await site.browser.text("#status").hasPrefix("Watching \(name)")
      }
    }

    private func waitForNew(_ count: Int, _ site: Site, _ clock: TestClock) async throws {
      try await eventually("\(count) are new", passing: clock) {
        try await site.texts("#issues .is-new").count >= count
      }
    }

    @Test func issuesAppearOnTopAsTheyAreOpened() async throws {
      let clock = TestClock()
      try await withSite(clock: clock) { site in
        try await watch(site, clock)
        let before = try await numbers(site)
        try await waitForNew(2, site, clock)
        let after = try await numbers(site)
        #expect(Array(after.suffix(before.count).prefix(5)) == Array(before.prefix(5)))
        #expect(after.count > before.count)
        let status = try await site.browser.text("#status")
        #expect(status.contains(" new issues in apple/swift, the newest is \(after[0])."))
        // Those who don't see the page hear of it when they have nothing better to do.
        #expect(try await site.attributes("aria-live", of: "#status") == ["polite"])
        #expect(try await site.browser.title.contains(") apple/swift · Watch"))
      }
    }

    @Test func pauseKeepsWhatComesUntilOneGoesOn() async throws {
      let clock = TestClock()
      try await withSite(clock: clock) { site in
        try await watch(site, clock)
        try await waitForNew(1, site, clock)
        try await site.browser.click("#control")
        try await site.waitFor("#control[data-live-click=resume]")
        let paused = try await numbers(site)
        for _ in 0..<20 { clock.advance(by: .seconds(1)) }
        #expect(try await numbers(site) == paused)
        try await site.browser.click("#control")
        try await waitForNew(5, site, clock)
        // Nothing is missing, and nothing comes twice.
        let all = try await numbers(site).compactMap { Int($0.dropFirst()) }
        let new = try await site.texts("#issues .is-new .number").count
        #expect(Array(all.prefix(new)) == (0..<new).map { all[0] - $0 })
      }
    }

    @Test func anotherRepositoryIsWatchedInstead() async throws {
      let clock = TestClock()
      try await withSite(clock: clock) { site in
        try await watch(site, clock)
        try await site.browser.run("document.querySelector('#q').select()")
        try await site.browser.devTools("Input.insertText", ["text": "moya/moya"])
        try await eventually("the other is watched", passing: clock) {
          guard try await site.browser.text("#status").hasPrefix("Watching moya/moya") else {
            return false
          }
          return try await !site.browser.has("#issues.is-old")
        }
        try await site.waitForAddress("/watch?q=moya/moya")
        try await waitForNew(1, site, clock)
        let links = try await site.attributes("href", of: "#issues a")
        #expect(links.allSatisfy { $0.hasPrefix("/issues?q=moya/moya&issue=") })
      }
    }

    @Test func withoutJavaScriptItShowsTheNewestAndCanBeReloaded() async throws {
      try await withSite(.init(hasJavaScript: false)) { site in
        try await site.open("/watch?q=apple/swift")
        #expect(try await site.browser.has("#issues .row"))
        #expect(try await site.browser.has("#reload[href='/watch?q=apple/swift']"))
        #expect(try await site.browser.text("#status").contains("Watching apple/swift"))
      }
    }
  }
}
