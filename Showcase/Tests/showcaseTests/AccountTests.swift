import AsyncHTTPClient
import CurlewLive
import CurlewLiveTesting
import Foundation
import NIOCore
import NIOHTTP1
import Sandbox
import Synchronization
import Testing
import showcase

/// Users of the sandbox on the showcase's pages, without a browser.
@Suite(.timeLimit(.minutes(1)))
struct AccountTests {
  /// A browser of a user, which keeps the cookie and follows no redirect.
  private struct Visit {
    struct Reply {
      let status: Int
      let location, cookie: String?
      var clearsStorage = false
      let text: String

      func has(_ selector: String) -> Bool { PageElement(text).has(selector) }
      func text(_ selector: String) -> String? { PageElement(text).text(selector) }
      /// Whether the star of a repository's page is set.
      var isStarred: Bool {
        PageElement(text).attribute("aria-pressed", of: ".star button") == "true"
      }
    }

    private static let http = HTTPClient(
      configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))

    var cookie: String?

    func get(_ path: String) async throws -> Reply {
      try await send(HTTPClientRequest(url: served.origin + path))
    }

    func post(
      _ path: String, _ form: LiveQuery = [:], origin: String? = served.origin
    ) async throws -> Reply {
      var request = HTTPClientRequest(url: served.origin + path)
      request.method = .POST
      if let origin { request.headers.add(name: "Origin", value: origin) }
      request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
      request.body = .bytes(ByteBuffer(string: String(form.text.dropFirst())))
      return try await send(request)
    }

    /// Posts a form, and loads the page that the response leads to.
    func submit(_ path: String, _ form: LiveQuery) async throws -> Reply {
      let reply = try await post(path, form)
      guard let location = reply.location, let session = reply.cookie else { return reply }
      let cookies = [cookie, String(session.prefix { $0 != ";" })].compactMap(\.self)
      return try await Visit(cookie: cookies.joined(separator: "; ")).get(location)
    }

    private func send(_ request: HTTPClientRequest) async throws -> Reply {
      var request = request
      if let cookie { request.headers.add(name: "Cookie", value: cookie) }
      let response = try await Self.http.execute(request, timeout: .seconds(30))
      let text = String(buffer: try await response.body.collect(upTo: 1 << 22))
      return Reply(
        status: Int(response.status.code), location: response.headers.first(name: "Location"),
        cookie: response.headers.first(name: "Set-Cookie"),
        clearsStorage: response.headers.first(name: "Clear-Site-Data") == #""storage""#, text: text)
    }
  }

  private func visit(as name: String) async throws -> Visit {
    let cookie = try #require(try await Visit().post("/sign-in", ["user": name]).cookie)
    return Visit(cookie: String(cookie.prefix { $0 != ";" }))
  }

  private func star(_ visit: Visit) async throws -> Visit.Reply {
    try await visit.submit(
      "/repositories/apple/cups", ["live:submit": "star", "repository": "apple/cups"])
  }

  @Test func `the cookie is for this host only`() {
    let name = "__Host-session"
    #expect(
      SessionCookie(isSecure: true).field("a")
        == "\(name)=a; Path=/; HttpOnly; SameSite=Lax; Secure")
    #expect(
      SessionCookie(isSecure: true).field(nil)
        == "\(name)=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0")
  }

  @Test(.served(hasAccounts: true)) func `the session has a new secret name`() async throws {
    let cookies = try await [
      Visit().post("/sign-in", ["user": "ada"]).cookie,
      Visit().post("/sign-in", ["user": "ada"]).cookie,
    ]
    for cookie in cookies {
      let pattern = /session=[0-9a-f]{32}; Path=\/; HttpOnly; SameSite=Lax/
      #expect(try #require(cookie).wholeMatch(of: pattern) != nil)
    }
    #expect(cookies[0] != cookies[1])
    // Another sign-in ends the browser's session before.
    let ada = try await visit(as: "ada")
    #expect(try await ada.post("/sign-in", ["user": "grace"]).status == 303)
    #expect(try await ada.get("/issues").has("a.account"))
    #expect(try await Visit(cookie: "session=\(UUID())").get("/issues").has("a.account"))
  }

  @Test(.served(hasAccounts: true)) func `only this site signs in and out`() async throws {
    let ada = try await visit(as: "ada")
    for origin in [nil, "null", "https://evil.example", served.origin + "0"] {
      let entered = try await Visit().post("/sign-in", ["user": "ada"], origin: origin)
      #expect(entered.status == 403 && entered.cookie == nil)
      #expect(try await ada.post("/sign-out", origin: origin).status == 403)
    }
    #expect(try await ada.get("/issues").text(".account span") == "ada")
    let eve = try await Visit().post("/sign-in", ["user": "eve", "return": "/issues"])
    #expect(eve.status == 400 && eve.cookie == nil && eve.has(".problem"))
    let long: LiveQuery = ["user": String(repeating: "a", count: 5_000)]
    #expect(try await Visit().post("/sign-in", long).status == 403)
    for (place, address) in [
      ("/issues?q=a%2Fb", "/issues?q=a%2Fb"), ("https://evil.example", "/"),
      ("//evil.example", "/"),
    ] {
      let reply = try await Visit().post("/sign-in", ["user": "ada", "return": place])
      #expect(reply.status == 303 && reply.location == address)
    }
  }

  @Test(.served(hasAccounts: true)) func `a new issue needs a user`() async throws {
    let refused = try await Visit().get("/issues/new?repository=apple/cups")
    #expect(refused.status == 303)
    let place = try #require(refused.location)
    #expect(place.hasPrefix("/sign-in?return="))
    let page = try await Visit().get(place)
    #expect(PageElement(page.text).texts("form button") == Sandbox.users)
    let value = PageElement(page.text).attribute("value", of: "[name=return]")
    #expect(value == "/issues/new?repository=apple/cups")
    let ada = try await visit(as: "ada")
    let form: LiveQuery = [
      "live:submit": "create", "repository": "apple/cups", "title": "By me", "key": "1",
    ]
    #expect(try await Visit().post("/issues/new", form).status == 303)
    let sent = try await ada.post("/issues/new", form)
    #expect(sent.has("#done") || sent.status == 303)
    #expect(try await ada.get("/issues?q=apple/cups").text.contains("By me"))
  }

  @Test(.served(hasAccounts: true)) func `a star is its users own`() async throws {
    let (ada, grace) = (try await visit(as: "ada"), try await visit(as: "grace"))
    #expect(try await star(ada).isStarred)
    #expect(try await ada.get("/repositories/apple/cups").isStarred)
    for other in [grace, Visit()] {
      #expect(try await !other.get("/repositories/apple/cups").isStarred)
    }
    #expect(try await star(Visit()).isStarred)
    #expect(try await Visit().get("/repositories/apple/cups").isStarred, "it is shared as before")
    #expect(try await !grace.get("/repositories/apple/cups").isStarred)
  }

  @Test(.served(hasAccounts: true)) func `the reader has no button and forges none`() async throws {
    let address = "/issues?q=apple/cups&issue=21"
    let form: LiveQuery = ["live:submit": "close-issue", "issue": "apple/cups 21"]
    let bob = try await visit(as: "bob")
    let page = try await bob.get(address)
    #expect(page.has("#picked-title") && !page.has("#change"))
    #expect(try await bob.post(address, form).status == 400)
    #expect(!served.sandbox.requests.contains { $0.method == "PATCH" })
    let ada = try await visit(as: "ada")
    #expect(try await ada.get(address).has("#change"))
    #expect(try await ada.submit(address, form).has("#closed"))
  }

  @Test func `an expired token is refreshed while a page is used`() async throws {
    let age = Mutex(0.0)
    var options = Sandbox.Options()
    options.now = { Date(timeIntervalSince1970: 1_750_000_000 + age.withLock { $0 }) }
    try await withServedSite(sandbox: options, hasAccounts: true) { site in
      try await Served.$current.withValue(site) {
        let ada = try await visit(as: "ada")
        _ = try await star(ada)
        age.withLock { $0 = 301 }
        site.sandbox.forgetRequests()
        #expect(try await ada.get("/repositories/apple/cups").isStarred)
        let tokens = site.sandbox.requests.filter { $0.path == "/login/oauth/access_token" }
        #expect(tokens.map(\.status) == [200])
        #expect(site.sandbox.requests.contains { $0.status == 401 })
      }
    }
  }

  @Test(.served(hasAccounts: true)) func `a sign out ends all sessions of its user`() async throws {
    let (first, second) = (try await visit(as: "ada"), try await visit(as: "ada"))
    let grace = try await visit(as: "grace")
    let left = try await first.post("/sign-out")
    #expect(left.status == 303 && left.location == "/")
    #expect(left.cookie == "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
    for visit in [first, second] {
      #expect(try await visit.get("/issues").has("a.account"))
    }
    #expect(try await grace.get("/issues").text(".account span") == "grace")
    #expect(left.clearsStorage, "also of the page that was left")
    let revocations = served.sandbox.requests.filter { $0.method == "DELETE" }
    #expect(revocations.map(\.path) == ["/applications/showcase/grant"])
    #expect(revocations.map(\.status) == [204])
  }

  // MARK: Pending changes

  private static let issue = "/issues?q=apple/cups&issue=21"

  /// Cuts each connection to the sandbox, or no longer.
  private func cut(_ isCut: Bool) {
    served.sandbox.update { $0.outageEnd = isCut ? .distantFuture : nil }
  }

  /// Loads a page until its pending changes contain a text, or there are none.
  private func page(
    _ visit: Visit, _ path: String = issue, until text: String?
  ) async throws -> Visit.Reply {
    var reply = try await visit.get(path)
    try await eventually("the changes are \(text ?? "confirmed")") {
      reply = try await visit.get(path)
      return text.map { reply.text("#pending")?.contains($0) ?? false } ?? !reply.has("#pending")
    }
    return reply
  }

  private func value(_ name: String, in reply: Visit.Reply) -> String? {
    PageElement(reply.text).attribute("value", of: "[name=\(name)]")
  }

  /// Decides about the first change.
  private func decide(
    _ decision: String, _ visit: Visit, _ reply: Visit.Reply
  ) async throws {
    let id = try #require(value("change", in: reply))
    _ = try await visit.post(
      Self.issue, ["live:submit": "decide", "change": id, "decision": decision])
  }

  @Test(.served(hasAccounts: true)) func `a comment that is perhaps sent asks`() async throws {
    let ada = try await visit(as: "ada")
    #expect(try await ada.get(Self.issue).has("#comment"))
    #expect(try await !Visit().get(Self.issue).has("#discussion"))
    let form: LiveQuery = [
      "live:submit": "comment", "issue": "apple/cups 21", "text": "Me too.\r\nOften.",
    ]
    _ = try await ada.post(Self.issue, form)
    let sent = try await page(ada, until: nil)
    let comments = PageElement(sent.text).texts("#discussion li").filter { $0.contains("Often.") }
    #expect(comments.count == 1 && comments[0].contains("ada"))
    cut(true)
    _ = try await ada.post(Self.issue, form)
    let asked = try await page(ada, until: "Perhaps sent")
    #expect(asked.text("#pending blockquote") == "Me too. Often.")
    #expect(
      PageElement(asked.text).texts("#pending [name=decision]")
        == ["Send again", "It has arrived", "Discard"])
    #expect(asked.text("#pending [role=status]") == "1 change is not sent yet.")
    try await decide("drop", ada, asked)
    _ = try await page(ada, until: nil)
    cut(false)
    #expect(try await !visit(as: "grace").get(Self.issue).has("#pending"))
  }

  /// Opens the form for another title, and returns its fields.
  private func edit(_ visit: Visit, title: String) async throws -> LiveQuery {
    let form = try await visit.submit(Self.issue, ["live:submit": "edit-issue"])
    return [
      "live:submit": "save-issue", "issue": value("issue", in: form),
      "version": value("version", in: form), "base-title": value("base-title", in: form),
      "base-body": value("base-body", in: form), "replaced": value("replaced", in: form),
      "title": title, "body": value("base-body", in: form),
    ]
  }

  @Test(.served(hasAccounts: true), arguments: ["send", "drop", nil])
  func `two users edit a title`(decision: String?) async throws {
    let (ada, grace) = (try await visit(as: "ada"), try await visit(as: "grace"))
    let (mine, theirs) = (
      try await edit(ada, title: "Mine"), try await edit(grace, title: "Theirs")
    )
    _ = try await grace.post(Self.issue, theirs)
    #expect(try await page(grace, until: nil).text("#picked-title") == "Theirs")
    _ = try await ada.post(Self.issue, mine)
    let asked = try await page(ada, until: "Conflict")
    #expect(asked.text("#picked-title") == "Mine", "until the user decides")
    #expect(
      PageElement(asked.text).texts("#pending .versions dd strong")
        == ["Mine", "Theirs", mine["base-title"]])
    #expect(try await page(grace, until: nil).text("#picked-title") == "Theirs")
    if let decision {
      try await decide(decision, ada, asked)
    } else {
      _ = try await ada.post(Self.issue, try await edit(ada, title: "Both"))
    }
    let title = ["send": "Mine", "drop": "Theirs"][decision ?? ""] ?? "Both"
    for user in [ada, grace] {
      // A store loads a value again after two seconds at the earliest.
      try await eventually("it is \(title)") {
        try await page(user, until: nil).text("#picked-title") == title
      }
    }
  }

  @Test(.served(hasAccounts: true)) func `a sign out asks before it discards`() async throws {
    let ada = try await visit(as: "ada")
    cut(true)
    _ = try await ada.post(
      "/repositories/apple/cups", ["live:submit": "star", "repository": "apple/cups"])
    let asked = try await ada.post("/sign-out")
    #expect(asked.status == 200 && asked.cookie == nil)
    #expect(asked.text("main li") == "Star of apple/cups")
    #expect(try await ada.get("/dogs").text(".account span") == "ada")
    #expect(try await ada.post("/sign-out", ["discard": "1"]).status == 303)
    cut(false)
    let again = try await visit(as: "ada")
    #expect(try await !again.get("/repositories/apple/cups").isStarred)
    #expect(try await !again.get(Self.issue).has("#pending"))
  }
}
