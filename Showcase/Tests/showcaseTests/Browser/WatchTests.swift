import CurlewTesting
import Sandbox
import Testing

extension BrowserTests {
  /// A repository that is watched in a browser; the sandbox opens issues as the test lets time pass.
  @Suite struct WatchTests {
    /// The numbers of the rows, with their signs.
    private func numbers() async throws -> [String] {
      try await site.texts("#issues:not(.is-old) .number").map { $0.replacing("New: ", with: "") }
    }

    /// Opens the page of a repository, and waits until there is nothing new yet.
    private func watch(_ name: String = "apple/swift") async throws {
      try await site.openLive("/watch?q=\(name)")
      try await eventually("it is watched", passing: clock) {
        try await browser.text("#status").hasPrefix("Watching \(name)")
      }
    }

    private func waitForNew(_ count: Int) async throws {
      try await eventually("\(count) are new", passing: clock) {
        try await site.texts("#issues .is-new").count >= count
      }
    }

    @Test(.site(isTimed: true)) func `issues appear on top as they are opened`() async throws {
      try await watch()
      let before = try await numbers()
      try await waitForNew(2)
      let after = try await numbers()
      #expect(Array(after.suffix(before.count).prefix(5)) == Array(before.prefix(5)))
      #expect(after.count > before.count)
      let status = try await browser.text("#status")
      #expect(status.contains(" new issues in apple/swift, the newest is \(after[0])."))
      // Those who don't see the page hear of it when they have nothing better to do.
      #expect(try await site.attributes("aria-live", of: "#status") == ["polite"])
      #expect(try await browser.title.contains(") apple/swift · Watch"))
    }

    @Test(.site(isTimed: true)) func `pause keeps what comes until one goes on`() async throws {
      try await watch()
      try await waitForNew(1)
      try await browser.click("#control")
      try await site.waitFor("#control[data-live-click=resume]")
      let paused = try await numbers()
      for _ in 0..<20 { clock.advance(by: .seconds(1)) }
      #expect(try await numbers() == paused)
      try await browser.click("#control")
      try await waitForNew(5)
      // Nothing is missing, and nothing comes twice.
      let all = try await numbers().compactMap { Int($0.dropFirst()) }
      let new = try await site.texts("#issues .is-new .number").count
      #expect(Array(all.prefix(new)) == (0..<new).map { all[0] - $0 })
    }

    @Test(.site(.plain))
    func `without JavaScript it shows the newest and can be reloaded`() async throws {
      try await site.open("/watch?q=apple/swift")
      #expect(try await browser.has("#issues .row"))
      #expect(try await browser.has("#reload[href='/watch?q=apple/swift']"))
      #expect(try await browser.text("#status").contains("Watching apple/swift"))
    }
  }
}
