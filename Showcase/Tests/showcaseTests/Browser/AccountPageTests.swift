import CurlewTesting
import Sandbox
import Testing

extension BrowserTests {
  /// Users of the sandbox sign in and out.
  @Suite struct AccountPageTests {
    private static let star = "[aria-label='Star ReactiveX/RxSwift']"

    /// Signs a user in with the keyboard, at the page that the link in the header leads to.
    private func signIn(_ name: String) async throws {
      try await site.waitFor("a.account")
      try await browser.run("document.querySelector('a.account').focus()")
      try await browser.type(Key.enter)
      try await site.waitFor("#sign-in")
      try await browser.run("document.querySelector('.account, #sign-in button').focus()")
      let count = try #require(Sandbox.users.firstIndex(of: name))
      try await browser.type(String(repeating: Key.tab, count: count) + Key.enter)
      try await eventually("\(name) is signed in") { try await user() == name }
    }

    private func user() async throws -> String {
      try await browser.has(".account span") ? browser.text(".account span") : ""
    }

    private func isStarred() async throws -> Bool {
      try await site.waitFor(Self.star)
      return try await browser.attribute("aria-pressed", of: Self.star) == "true"
    }

    @Test(.site(hasAccounts: true)) func `a sign out shows in the other tab`() async throws {
      try await site.openLive("/repositories/ReactiveX/RxSwift")
      try await signIn("ada")
      #expect(try await browser.url.hasSuffix("/repositories/ReactiveX/RxSwift"))
      try await site.waitFor("[data-live-ready]")
      try await site.waitFor(Self.star)
      try await browser.click(Self.star)
      try await eventually("it is starred") { try await isStarred() }
      let first = try await browser.tab
      let second = try await browser.newTab(.window)
      try await browser.select(second)
      try await site.openLive("/issues/new")
      try await browser.type("draft", into: "#title")
      try await browser.select(first)
      try await browser.click(".account button")
      try await eventually("nobody is signed in") { try await browser.has("a.account") }
      let stored = "Object.keys(sessionStorage).some((key) => key.startsWith('live:document.'))"
      #expect(try await !browser.evaluate(stored), "the tab keeps nothing of the user")
      try await browser.select(second)
      try await eventually("the sign-in is there") { try await browser.has("#sign-in") }
      #expect(try await browser.url.hasSuffix("/sign-in?return=/issues/new"))
    }

    @Test(.site(hasAccounts: true)) func `the header has room for the user`() async throws {
      for name in ["", "grace"] {
        try await browser.become(width: 1280, height: 844)
        try await site.openLive("/issues?q=apple/cups")
        if !name.isEmpty { try await signIn(name) }
        try await site.waitFor("[data-live-inspect]:not([hidden])")
        for width in [1280, 1241, 1240, 1041, 1040, 861, 860, 761, 760, 390, 381, 380, 320] {
          try await browser.become(width: width, height: 844)
          let overhang: Int = try await browser.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
          #expect(overhang <= 0, "\(name) \(width)")
        }
      }
    }

    @Test(.site(hasAccounts: true)) func `the next user has other stars`() async throws {
      try await site.openLive("/repositories/ReactiveX/RxSwift")
      try await signIn("ada")
      try await site.waitFor("[data-live-ready]")
      try await site.waitFor(Self.star)
      try await browser.click(Self.star)
      try await eventually("it is starred") { try await isStarred() }
      try await browser.click(".account button")
      try await eventually("nobody is signed in") { try await browser.has("a.account") }
      try await site.openLive("/repositories/ReactiveX/RxSwift")
      #expect(try await !isStarred())
      try await signIn("grace")
      try await site.waitFor("[data-live-ready]")
      #expect(try await !isStarred())
      #expect(try await browser.text("[data-live-slot=starred]") == "")
      try await browser.click(".account button")
      try await eventually("nobody is signed in") { try await browser.has("a.account") }
      try await site.openLive("/repositories/ReactiveX/RxSwift")
      try await signIn("ada")
      #expect(try await isStarred())
    }
  }
}
