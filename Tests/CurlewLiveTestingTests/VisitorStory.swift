import CurlewLiveTesting
import HTTPTypes
import Hummingbird

/// What a tab shows.
struct VisitorView: Decodable, Sendable {
  /// The user whose page it is; `nil` for the sign-in.
  var owner: String?
  var text: String
  /// The text, the title and the contents of fields.
  var all: String
}

/// A tab of the site: of a ``PageProbe``, or of a real browser.
protocol VisitorTab: AnyObject {
  func visit(_ address: String) async throws
  func back() async throws
  /// Types a note into the page of a user, unless the tab shows another page meanwhile.
  func write(_ text: String, as owner: String) async throws
  func press(_ button: String) async throws
  func disconnect() async throws
  func reconnect() async throws
  func restart(_ router: Router<BasicRequestContext>) async throws
  func advance(by duration: Duration) async throws
  func settle() async throws
  /// Returns what the tab shows; a real browser's once it is as expected, or does not become so for a long time.
  func view(where isExpected: (VisitorView) -> Bool) async throws -> VisitorView
}

/// A random story of two browsers with tabs, in which two users sign in and out.
final class VisitorStory<Tab: VisitorTab> {
  private let site: AccountSite
  private var router: Router<BasicRequestContext>
  private var random: any RandomNumberGenerator
  private var tabs: [(browser: String, page: Tab)] = []
  private var typed = 0
  private(set) var problem: String?

  /// - Parameter open: Opens a tab of a browser with the page of notes.
  init(
    _ site: AccountSite, _ router: Router<BasicRequestContext>,
    _ random: some RandomNumberGenerator, open: (_ browser: String) async throws -> Tab
  ) async throws {
    (self.site, self.router, self.random) = (site, router, random)
    for browser in ["one", "one", "two", "two"] {
      tabs.append((browser, try await open(browser)))
    }
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  /// Does something in a random tab, and looks at what it led to.
  func step(_ note: (String) -> Void) async throws {
    let index = pick(Array(tabs.indices))
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
    try await look(at: tabs[index], isCurrent: hasAsked)
  }

  /// Returns whether the tab has certainly sent a request.
  private func act(
    in browser: String, _ page: Tab, _ owner: String, _ note: (String) -> Void
  ) async throws -> Bool {
    let name = pick(["ada", "bo"])
    switch pick(Array(0...15)) {
    case 0...2:
      note("sign in as \(name)")
      // As an app should, but the tabs learn of it only when they are asked again if it does not.
      if pick([true, false]) { site.signOut(owner) }
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
      let shown = try await page.view { _ in true }.owner ?? ""
      try await page.write("\(AccountSite.marks[shown] ?? "nobody") \(typed)", as: shown)
      if pick([true, false]) { try await page.press("Keep") }
    case 8:
      note("keep")
      try await page.press("Keep")
    case 9:
      note("add")
      try await page.press("Add")
    case 10:
      note("approve")
      try await page.press("Approve")
    case 11:
      note("reconnect")
      try await page.disconnect()
      try await page.advance(by: .seconds(pick([1, 150])))
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
      let isSaved = !saved.isEmpty && pick([true, false])
      let sent = pick(isSaved ? saved : others)
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
      try await page.disconnect()
      try await page.reconnect()
      try await page.press("Keep")
    default:
      note("change the role of \(name), and wait")
      site.changeRole(of: name)
      try await page.advance(by: .seconds(80))
      for tab in tabs {
        try await tab.page.settle()
        try await look(at: tab, isCurrent: false)
      }
      return false
    }
    return true
  }

  /// Finds what a tab shows of another user.
  ///
  /// - Parameter isCurrent: Whether the tab knows who has signed in; otherwise its open stream may be that of a guest, or
  ///   for a minute that of the user before.
  private func look(at tab: (browser: String, page: Tab), isCurrent: Bool) async throws {
    func find(_ problem: String) { self.problem = self.problem ?? problem }
    func isKnown(_ shown: String, _ owner: String) -> Bool {
      shown == owner || (!isCurrent && site.before.contains(shown))
    }
    let view = try await tab.page.view { view in
      findMarks(in: view, of: tab.browser)
      return view.owner.map { isKnown($0, site.owner(in: tab.browser)) }
        ?? (view.text == "Sign in")
    }
    findMarks(in: view, of: tab.browser)
    let owner = site.owner(in: tab.browser)
    if let problem = site.record.problem { find(problem) }
    if site.record.requests > 60 { find("\(site.record.requests) requests") }
    if let shown = view.owner {
      if !isKnown(shown, owner) { find("\(owner) sees the page of \(shown)") }
    } else if view.text != "Sign in" {
      find("\(owner) sees \(view.text)")
    }
  }

  private func findMarks(in view: VisitorView, of browser: String) {
    for (other, mark) in AccountSite.marks where other != view.owner && view.all.contains(mark) {
      problem =
        problem ?? "\(site.owner(in: browser)) sees \(mark) of \(other): \(view.all)"
    }
  }
}
