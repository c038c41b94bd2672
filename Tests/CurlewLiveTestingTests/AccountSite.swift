import CurlewLive
import CurlewScreens
import CurlewTesting
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// A user of the site, or a guest, who has no name.
struct Account: Hashable, Sendable {
  var name = ""
  var mayApprove = false
}

/// The server's own data of a user.
final class Shelf: Sendable {
  let rows: Mutex<[String]>
  init(_ mark: String) { rows = Mutex(["\(mark) first"]) }
}

/// The private notes of a user, who may also approve something.
struct Notebook: Screen {
  struct State: Equatable, Sendable {
    var owner = ""
    var note = "", kept = ""
    var rows: [String] = []
  }
  enum Event: Sendable { case open, note(String), keep, restore(String), add, approve }

  let account: Account
  let shelf: Shelf
  let approve: @Sendable (Account) -> Void
  var initial: State { State(owner: account.name) }

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .open:
      work.latest("rows", after: .milliseconds(100)) { [shelf] in
        shelf.rows.withLock { $0 }
      } finished: { state, result, _ in
        state.rows = (try? result.get()) ?? []
      }
    case .note(let text): state.note = text
    case .keep: state.kept = state.note
    case .restore(let text): state.kept = text
    case .add:
      state.rows = shelf.rows.withLock { [note = state.note] in
        $0 = $0.suffix(3) + [note]
        return $0
      }
    case .approve: approve(account)
    }
  }
}

struct NotebookPage: LivePage {
  typealias Visitor = Account
  let path = "/notes"
  let shelves: VisitorValues<String, Shelf>
  let approve: @Sendable (Account) -> Void

  var screen: Notebook { screen(for: Account()) }
  func screen(for visitor: Account) -> Notebook {
    Notebook(account: visitor, shelf: shelves[visitor.name], approve: approve)
  }
  func events(for query: LiveQuery, in state: Notebook.State) -> [Notebook.Event] { [.open] }
  func event(for action: LiveAction) -> Notebook.Event? {
    switch action.name {
    case "note": .note(action.value)
    case "keep": .keep
    case "add": .add
    case "approve": .approve
    default: nil
    }
  }
  func event(for action: LiveAction, by visitor: Account) -> Notebook.Event? {
    action.name != "approve" || visitor.mayApprove ? event(for: action) : nil
  }
  func address(of state: Notebook.State) -> LiveAddress { LiveAddress([:]) }
  func title(of state: Notebook.State) -> String { state.kept.isEmpty ? "Notes" : state.kept }
  func savedState(of state: Notebook.State) -> String? { state.kept.isEmpty ? nil : state.kept }
  func events(restoring kept: String, in state: Notebook.State) -> [Notebook.Event] {
    [.restore(kept)]
  }
  func render(_ state: Notebook.State, _ activity: ScreenActivity) -> HTML {
    let rows = state.rows.enumerated().map { "<li data-key=\"\($0)\">\($1)</li>" }.joined()
    return HTML(
      trusted: """
        <h1 id="owner">\(state.owner)</h1><p id="text"><label>Note <input name="note" value="\(state.note)" data-live-input="note"></label></p>\
        <p id="kept">\(state.kept)</p><ul id="rows">\(rows)</ul>\
        <p><button data-live-click="keep">Keep</button> <button data-live-click="add">Add</button> \
        <button data-live-click="approve">Approve</button></p>
        """)
  }
}

/// A site on which two users sign in, with the records of what it sends to two browsers.
final class AccountSite: Sendable {
  private struct State {
    var approvers: Set = ["ada"]
    /// The users by the values of their cookies.
    var users: [String: String] = [:]
    /// The users whose cookies are no longer valid, and the time until their streams notice.
    var lapsed: [String: (name: String, end: TestClock.Instant)] = [:]
    /// The cookies by browser.
    var jar: [String: String] = [:]
    var visitors: LiveVisitors<Account, BasicRequestContext>?
    var record = Record()
  }

  /// What the site has received and sent.
  struct Record {
    struct Forgery {
      var browser: String
      var fields: HTTPFields
      var body: String?
    }

    var requests = 0
    var problem: String?
    /// The newest requests of a page's script.
    var sent: [(owner: String, fields: HTTPFields, body: String)] = []
    /// The fields and the body in place of a browser's own.
    var forgery: Forgery?
  }

  /// A text in all that belongs to a user, by name; a guest's by the empty name.
  static let marks = [
    "ada": "ADA9f31c6e0b7754a28d1c05", "bo": "BO28e4d70c91ab3f6655d0e7",
    "": "GUEST0a6f2d93bc817e45c9f",
  ]
  /// The marks, plain and as in a signed state.
  private static let searched = marks.flatMap { name, mark in
    [mark, Data(mark.utf8).base64EncodedString()].map { (name, Data($0.utf8)) }
  }

  let clock: TestClock
  private let key = SigningKey.random()
  let admitsGuests: Bool
  /// The time after a sign-out in which the responses that have begun may still arrive.
  private let grace: Duration
  private let state = Mutex(State())

  init(
    admitsGuests: Bool, clock: TestClock = TestClock(executor: TestExecutor()),
    grace: Duration = .zero
  ) {
    (self.admitsGuests, self.clock, self.grace) = (admitsGuests, clock, grace)
  }

  var record: Record {
    get { state.withLock { $0.record } }
    set { state.withLock { $0.record = newValue } }
  }

  private func find(_ problem: String) {
    state.withLock { $0.record.problem = $0.record.problem ?? problem }
  }

  /// Returns a new server's router, with the data of users.
  func router() -> Router<BasicRequestContext> {
    let visitors = LiveVisitors<Account, BasicRequestContext>(id: \.name) {
      [weak self, admitsGuests] request, _ in
      if let account = request.cookie("token").flatMap({ self?.account($0) }) { return account }
      if admitsGuests { return Account() }
      throw LiveRefusal.signIn(at: "/sign-in")
    }
    state.withLock { $0.visitors = visitors }
    let shelves = VisitorValues(clock: clock) { Shelf(Self.marks[$0] ?? "") }
    let page = NotebookPage(shelves: shelves) { [weak self] account in
      if self?.state.withLock({ $0.approvers.contains(account.name) }) != true {
        self?.find("\(account.name) may not approve")
      }
    }
    let router = Router()
    router.add(middleware: RecordingResponses(site: self))
    router.add(LiveAsset.script)
    router.add(page, visitors: visitors, clock: clock, key: key) { live in
      HTML(
        trusted: "<html><head><title>\(live.title)</title>\(live.head.text)</head><body>"
          + "\(live.content.text)</body></html>")
    }
    router.get("/sign-in") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/html"],
        body: .init(byteBuffer: ByteBuffer(string: "<body>Sign in</body>")))
    }
    router.get("/in") { [weak self] request, _ in
      let token = "\(UInt64.random(in: 0...UInt64.max))"
      let name = request.uri.queryParameters["name"].map { "\($0)" } ?? ""
      self?.state.withLock { $0.users[token] = name }
      return Response(
        status: .seeOther, headers: [.location: "/notes", .setCookie: "token=\(token); HttpOnly"])
    }
    router.get("/out") { [weak self] request, _ in
      if let self { signOut(owner(in: request.browser)) }
      return Response(status: .seeOther, headers: [.location: "/sign-in"])
    }
    return router
  }

  private func account(_ token: String) -> Account? {
    state.withLock { state in
      state.users[token].map { Account(name: $0, mayApprove: state.approvers.contains($0)) }
    }
  }

  /// The user who has signed in in a browser; empty for a guest.
  func owner(in browser: String) -> String {
    state.withLock { state in state.jar[browser].flatMap { state.users[$0] } ?? "" }
  }

  /// The guest, and the users whose streams have not yet noticed that their cookie is no longer valid.
  var before: [String] {
    state.withLock { state in
      [""] + state.lapsed.values.filter { clock.now < $0.end }.map(\.name)
    }
  }

  /// Ends all sign-ins of a user, and says so to the pages.
  func signOut(_ name: String) {
    guard !name.isEmpty else { return }
    let visitors = state.withLock { [now = clock.now] state in
      for token in state.users.filter({ $0.value == name }).keys {
        state.users[token] = nil
        state.lapsed[token] = (name, now.advanced(by: grace))
      }
      return state.visitors
    }
    visitors?.end(sessionsOf: Account(name: name))
  }

  func changeRole(of name: String) {
    state.withLock { $0.approvers.formSymmetricDifference([name]) }
  }

  // MARK: What is sent

  /// Notes a request, and returns it with the cookie of a simulated browser, or forged.
  fileprivate func receive(_ request: Request) async throws -> (Request, token: String?) {
    let body = try await String(buffer: request.body.collect(upTo: 100_000))
    let isOfScript = request.headers[.session] != nil
    let (forged, token) = state.withLock { state in
      state.record.requests += 1
      let browser = request.browser
      let token = request.isSimulated ? state.jar[browser] : request.cookie("token")
      let owner = token.flatMap { state.users[$0] } ?? ""
      guard let forgery = state.record.forgery, forgery.browser == browser, isOfScript else {
        if isOfScript { state.record.sent.append((owner, request.headers, body)) }
        return (nil as Record.Forgery?, token)
      }
      return (forgery, token)
    }
    var head = request.head
    for field in forged?.fields ?? [:] { head.headerFields[field.name] = field.value }
    if request.isSimulated { head.headerFields[.cookie] = token.map { "token=\($0)" } }
    let sent = request.method == .post ? forged?.body ?? body : body
    if request.method == .post { head.headerFields[.contentLength] = "\(sent.utf8.count)" }
    return (Request(head: head, body: RequestBody(buffer: ByteBuffer(string: sent))), token)
  }

  /// Keeps a cookie, in place of the one before, which is no longer valid; open streams learn this within a minute.
  fileprivate func keep(_ cookie: String, in browser: String) {
    let token = String(cookie.dropFirst(6).prefix { $0 != ";" })
    state.withLock { state in
      if let old = state.jar.updateValue(token, forKey: browser),
        let name = state.users.removeValue(forKey: old)
      {
        state.lapsed[old] = (name, clock.now.advanced(by: .seconds(62)))
      }
    }
  }

  /// Looks for the texts of others in a part of a response.
  fileprivate func look(at part: ByteBuffer, for token: String?, of request: Request) {
    let data = Data(part.readableBytesView)
    let owners = state.withLock { state in
      guard let token else { return [""] }
      if let owner = state.users[token] { return [owner] }
      // A request with a cookie that is no longer valid is a guest's.
      let lapsed = state.lapsed[token].flatMap { clock.now < $0.end ? $0.name : nil }
      return [lapsed, ""].compactMap(\.self)
    }
    for (name, mark) in Self.searched where !owners.contains(name) && data.range(of: mark) != nil {
      find("'\(owners[0])' receives what is of '\(name)': \(request.uri) \(String(buffer: part))")
    }
  }

  fileprivate func note(_ status: HTTPResponse.Status, of request: Request) {
    if status.code >= 500 { find("\(status) of \(request.uri)") }
  }
}

/// Gives the tabs of a browser a common cookie, and looks at all responses.
private struct RecordingResponses: RouterMiddleware {
  typealias Context = BasicRequestContext
  let site: AccountSite

  @concurrent func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let (request, token) = try await site.receive(request)
    var response: Response
    do {
      response = try await next(request, context)
    } catch let error as any HTTPResponseError {
      response = try error.response(from: request, context: context)
    } catch {
      // The browser or the test may have ended the connection.
      if !Task.isCancelled { site.note(.internalServerError, of: request) }
      throw error
    }
    site.note(response.status, of: request)
    if let cookie = response.headers[.setCookie], cookie.hasPrefix("token=") {
      site.keep(cookie, in: request.browser)
      if request.isSimulated { response.headers[.setCookie] = nil }
    }
    response.body = response.body.map { part in
      site.look(at: part, for: token, of: request)
      return part
    }
    return response
  }
}

extension Request {
  /// Whether the browser is a probe, whose tabs share the cookie in the site's jar.
  fileprivate var isSimulated: Bool { headers[.browser] != nil }
  /// The name of the browser: a header field of a probe, a cookie of a real one.
  fileprivate var browser: String { headers[.browser] ?? cookie("browser") ?? "" }

  fileprivate func cookie(_ name: String) -> String? {
    let values = headers[.cookie]?.split(separator: "; ") ?? []
    return values.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }
}

extension HTTPField.Name {
  static let browser = HTTPField.Name("Browser")!
  static let session = HTTPField.Name("Live-Session")!
  static let tab = HTTPField.Name("Live-Tab")!
  static let kept = HTTPField.Name("Live-Kept")!
}
