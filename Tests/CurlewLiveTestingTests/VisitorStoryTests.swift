import CurlewLive
import CurlewLiveTesting
import CurlewTesting
import Hummingbird
import TestSupport
import Testing

/// What the users of an app with accounts see and receive, in random orders.
///
/// `CURLEW_STORIES=1000` tells that many stories.
@Suite(.timeLimit(.minutes(10)))
struct VisitorStoryTests {
  @Test func `nothing of one user reaches another`() async {
    await tellStories("visitors", count: 600) { seed in
      var steps: [String] = []
      do {
        var random = SeededGenerator(seed: seed)
        let site = AccountSite(admitsGuests: random.chance(oneIn: 2))
        let router = site.router()
        let story = try await VisitorStory(site, router, random) {
          try await site.tab($0, router, "/notes")
        }
        for _ in 1...14 {
          steps.append("")
          try await story.step { steps[steps.count - 1] += " \($0)" }
          if let problem = story.problem {
            return "\(problem) after\(steps.joined(separator: ","))"
          }
        }
        return nil
      } catch {
        return "\(error) after\(steps.joined(separator: ","))"
      }
    }
  }

  @Test func `a sign out shows the sign in in all tabs`() async throws {
    let site = AccountSite(admitsGuests: false)
    let router = site.router()
    var tabs: [PageProbe] = []
    for browser in ["one", "two", "other"] {
      for _ in 1...(browser == "other" ? 1 : 25) {
        let name = browser == "other" ? "bo" : "ada"
        let isFirst = site.owner(in: browser).isEmpty
        let tab = try await site.tab(browser, router, isFirst ? "/in?name=\(name)" : "/notes")
        #expect(tab.document.text("#owner") == name)
        try await tab.type("Note", "draft")
        tabs.append(tab)
      }
    }
    let other = tabs.removeLast()
    site.signOut("ada")
    site.record.requests = 0
    for tab in tabs {
      try await tab.settle()
      #expect(tab.address == "/sign-in?return=/notes" && tab.text == "Sign in")
    }
    #expect(site.record.requests == 100, "a document and a redirect for each")
    try await other.click("Keep")
    #expect(other.document.text("#owner") == "bo" && other.document.text("#kept") == "draft")
    #expect(site.record.problem == nil)
  }
}

extension AccountSite {
  /// Opens a tab of a browser, whose tabs share a cookie.
  fileprivate func tab(
    _ browser: String, _ router: Router<BasicRequestContext>, _ address: String
  ) async throws -> PageProbe {
    try await PageProbe(router, address, clock: clock, headerFields: [.browser: browser])
  }
}

extension PageProbe: VisitorTab {
  func write(_ text: String, as owner: String) async throws { try await type("Note", text) }
  func press(_ button: String) async throws { try await click(.name(button)) }
  func view(where isExpected: (VisitorView) -> Bool) -> VisitorView {
    VisitorView(owner: document.text("#owner"), text: text, all: "\(text) \(title) \(fields)")
  }
}
