import CurlewLive
import CurlewLiveTesting
import CurlewTesting
import HTTPTypes
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
        let story = try await VisitorStory(seed: seed)
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

/// A random story of two browsers with tabs, in which two users sign in and out.
private final class VisitorStory {
  private let site: AccountSite
  private var router: Router<BasicRequestContext>
  private var random: SeededGenerator
  private var tabs: [(browser: String, page: PageProbe)] = []
  private var typed = 0
  private(set) var problem: String?

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    site = AccountSite(admitsGuests: random.chance(oneIn: 2))
    router = site.router()
    for browser in ["one", "one", "two", "two"] {
      tabs.append((browser, try await site.tab(browser, router, "/notes")))
    }
  }

  /// Does something in a random tab, and looks at what it led to.
  func step(_ note: (String) -> Void) async throws {
    let index = random.pick(0...tabs.count - 1)
    let (browser, page) = tabs[index]
    let owner = site.owner(in: browser)
    site.record.requests = 0
    note("\(index)\(owner.isEmpty ? "" : " as \(owner)"):")
    var hasAsked = true
    do {
      hasAsked = try await act(in: browser, page, owner, note)
    } catch PageFailure.refused(_, let status) where [400, 403, 404].contains(status) {
      note("\(status)")
    } catch PageFailure.notFound {
      // Not a page of the user, or not in the role.
      hasAsked = false
      note("nothing")
    }
    site.record.forgery = nil
    for (_, page) in tabs { try await page.settle() }
    // A tab that is refused loads its document again when that is 10 s old.
    if !site.admitsGuests, site.owner(in: browser).isEmpty {
      try await page.advance(by: .seconds(10))
    }
    look(at: tabs[index], isCurrent: hasAsked)
  }

  /// Returns whether the tab has certainly sent a request.
  private func act(
    in browser: String, _ page: PageProbe, _ owner: String, _ note: (String) -> Void
  ) async throws -> Bool {
    let name = random.pick(["ada", "bo"])
    switch random.pick(0...15) {
    case 0...2:
      note("sign in as \(name)")
      // As an app should, but the tabs learn of it only when they are asked again if it does not.
      if random.chance(oneIn: 2) { site.signOut(owner) }
      try await page.visit("/in?name=\(name)")
    case 3:
      note("sign out")
      try await page.visit("/out")
    case 4:
      note("back")
      try await page.back()
      return false
    case 5:
      note("visit")
      try await page.visit("/notes")
    case 6, 7:
      note("type")
      typed += 1
      // Text belongs to the user whom the page shows.
      let shown = page.document.text("#owner") ?? ""
      try await page.type("Note", "\(AccountSite.marks[shown] ?? "nobody") \(typed)")
      if random.chance(oneIn: 2) { try await page.click("Keep") }
    case 8:
      note("keep")
      try await page.click("Keep")
    case 9:
      note("add")
      try await page.click("Add")
    case 10:
      note("approve")
      try await page.click("Approve")
    case 11:
      note("reconnect")
      page.disconnect()
      try await page.advance(by: .seconds(random.pick([1, 150])))
      try await page.reconnect()
    case 12:
      note("restart")
      router = site.router()
      for (_, page) in tabs { try await page.restart(router) }
    case 13, 14:
      // The next requests of this browser have another one's session, saved state or action.
      let others = site.record.sent.filter { $0.owner != owner }
      guard !others.isEmpty else { return false }
      let saved = others.filter { $0.fields[.kept] != nil }
      let isSaved = !saved.isEmpty && random.chance(oneIn: 2)
      let sent = random.pick(isSaved ? saved : others)
      var fields: HTTPFields = [
        .session: sent.fields[.session] ?? "", .tab: sent.fields[.tab] ?? "",
      ]
      if isSaved, let kept = sent.fields[.kept] {
        fields = [.session: String(repeating: "0", count: 32), .kept: kept]
      }
      // With a text of the thief's own, which must not appear elsewhere either.
      let own = AccountSite.marks[owner] ?? ""
      let text = sent.body.replacing(AccountSite.marks[sent.owner] ?? "", with: own)
      let body = sent.body.isEmpty || isSaved ? nil : text
      note("forge \(fields.map { "\($0)" }) \(body ?? "")")
      site.record.forgery = .init(browser: browser, fields: fields, body: body)
      page.disconnect()
      try await page.reconnect()
      try await page.click("Keep")
    default:
      note("change the role of \(name), and wait")
      site.changeRole(of: name)
      try await page.advance(by: .seconds(80))
      for tab in tabs {
        try await tab.page.settle()
        look(at: tab, isCurrent: false)
      }
      return false
    }
    return true
  }

  /// Finds what a tab shows of another user.
  ///
  /// - Parameter isCurrent: Whether the tab knows who has signed in; otherwise its open stream may be that of a guest, or
  ///   for a minute that of the user before.
  private func look(at tab: (browser: String, page: PageProbe), isCurrent: Bool) {
    let (owner, page) = (site.owner(in: tab.browser), tab.page)
    func find(_ problem: String) { self.problem = self.problem ?? problem }
    if let problem = site.record.problem { find(problem) }
    if site.record.requests > 60 { find("\(site.record.requests) requests") }
    let shown = page.document.text("#owner")
    let isKnown = shown == owner || (!isCurrent && site.before.contains(shown ?? owner))
    if shown != nil, !isKnown { find("\(owner) sees the page of \(shown ?? "")") }
    if shown == nil, page.text != "Sign in" { find("\(owner) sees \(page.text)") }
    let all = "\(page.text) \(page.title) \(page.fields)"
    for (other, mark) in AccountSite.marks where other != shown && all.contains(mark) {
      find("\(owner) sees \(mark) of \(other): \(all)")
    }
  }
}
