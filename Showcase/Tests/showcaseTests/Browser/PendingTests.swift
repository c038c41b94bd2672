import Foundation
import Sandbox
import Testing

extension BrowserTests {
  /// Changes of users that wait for the network, or for a decision.
  @Suite struct PendingTests {
    private static let issue = "/issues?q=apple/cups&issue=21"

    private func signIn(_ name: String, _ site: Site) async throws {
      try await site.open("/sign-in?return=\(Self.issue.replacing("&", with: "%26"))")
      try await site.browser.click("#sign-in button[value=\(name)]")
      try await site.openLive(Self.issue)
      try await site.waitFor("#begin-edit")
    }

    private func save(_ title: String, _ site: Site) async throws {
      try await site.waitFor("#issue-title")
      try await site.browser.run("document.querySelector('#issue-title').select()")
      try await site.browser.type(title + Key.enter)
    }

    @Test(.site(hasAccounts: true, allowing: ["400"]))
    func `two users edit a title, and one keeps it`() async throws {
      let ada = site
      try await signIn("ada", ada)
      try await #require(DrivenByChrome.browsers).withBrowser(.init()) { browser in
        let grace = Site(browser: browser, served: ada.served)
        try await signIn("grace", grace)
        for user in [ada, grace] { try await user.browser.click("#begin-edit button") }
        try await save("Theirs", grace)
        try await eventually("grace's title is saved") {
          guard try await !grace.browser.has("#pending") else { return false }
          return try await grace.browser.text("#picked-title") == "Theirs"
        }
        site.sandbox.update { $0.outageEnd = .distantFuture }
        try await save("Mine", ada)
        try await eventually("ada's title waits") {
          try await ada.browser.text("#pending .state") == "Waiting for the network"
        }
        #expect(try await ada.browser.text("#picked-title") == "Mine")
        #expect(try await ada.browser.text("#issues .is-picked .title") == "Mine")
        site.sandbox.update { $0.outageEnd = nil }
        try await ada.browser.click("#pending header button")
        try await site.waitFor("#pending .versions")
        let texts = try await ada.texts("#pending .versions dd > strong")
        #expect(texts.prefix(2) == ["Mine", "Theirs"])
        try await ada.browser.click("#pending [value=send]")
        try await eventually("nothing waits") { try await !ada.browser.has("#pending") }
        // A visit within the interval in which a store doesn't load an issue again shows the known one.
        try await eventually("grace has ada's title") {
          try await grace.openLive(Self.issue)
          return try await grace.browser.text("#picked-title") == "Mine"
        }
      }
    }
  }
}
