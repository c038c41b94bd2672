import CoreMetrics
public import CurlewScreens
import CurlewSupport
import Foundation
package import HTTPTypes
public import Hummingbird
import NIOCore
import Synchronization

extension Router {
  /// Serves a page that does not ask who visits it, like
  /// ``Hummingbird/Router/add(_:visitors:limits:clock:images:media:fonts:frames:key:fleet:texts:writes:inspector:frame:)``.
  public func add<Page: LivePage>(
    _ page: Page,
    limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    images: [String] = [],
    media: [String] = [],
    fonts: [String] = [],
    frames: [String] = [],
    key: SigningKey? = nil,
    fleet: LiveFleet? = nil,
    texts: [UserTexts] = [],
    writes: PendingWork = PendingWork(),
    inspector: LiveInspector? = nil,
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) where Page.Visitor == Anyone {
    add(
      page, visitors: LiveVisitors(id: { _ in "" }, ask: { _, _ in Anyone() }), limits: limits,
      clock: clock, images: images, media: media, fonts: fonts, frames: frames, key: key,
      fleet: fleet, texts: texts, writes: writes, inspector: inspector, frame: frame)
  }

  /// Serves a screen as a page, and keeps it live in browsers that run its script.
  ///
  /// It adds three routes: the page itself, `…/live` for the stream of states (server-sent events),
  /// and `…/events` for the user's actions.
  ///
  /// - Parameters:
  ///   - page: The screen and its rendering.
  ///   - visitors: Who visits the page.
  ///   - limits: The limits on sessions, connections and messages.
  ///   - clock: The clock for the screens and the limits.
  ///   - images: The origins that images may be loaded from, besides the site's own.
  ///   - media: The origins of video and audio, besides the site's own.
  ///   - fonts: The origins of fonts, besides the site's own.
  ///   - frames: The origins of the documents in `iframe` elements, besides the site's own.
  ///   - key: The key that signs the state that browsers store; all processes that serve the page need the same key, and so do
  ///     the servers of a fleet. By default, it is random.
  ///   - fleet: The servers that serve the page, if a load balancer sends a session's requests to any of them; `nil` if it
  ///     sends them all to the same process.
  ///   - texts: The page's languages, the default language first. A session has the first language that its browser
  ///     accepts (`Accept-Language`), and its page is rendered with the language's texts as
  ///     ``CurlewScreens/UserTexts/current``. By default, the only language is ``CurlewScreens/UserTexts/standard``.
  ///   - writes: The count of the pending writes of all sessions, so that the server can wait for
  ///     them before it exits: a write continues after its browser has disconnected.
  ///   - inspector: An inspector of the page's screens, for development; `nil` for none.
  ///   - frame: A closure that renders the complete document around a screen.
  public func add<Page: LivePage>(
    _ page: Page,
    visitors: LiveVisitors<Page.Visitor, Context>,
    limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    images: [String] = [],
    media: [String] = [],
    fonts: [String] = [],
    frames: [String] = [],
    key: SigningKey? = nil,
    fleet: LiveFleet? = nil,
    texts: [UserTexts] = [],
    writes: PendingWork = PendingWork(),
    inspector: LiveInspector? = nil,
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    precondition(
      fleet == nil || key != nil,
      "The servers of a fleet need one key: router.add(page, key: SigningKey(secret: secret), fleet: fleet)."
    )
    let paths = LivePaths.of(self)
    let routes = LiveRoutes(
      page, pages: { paths.expression }, limits: limits, clock: clock,
      fields: .page(images: images, media: media, fonts: fonts, frames: frames),
      key: key ?? .random(),
      fleet: fleet, texts: texts, writes: writes, inspector: inspector, frame: frame)
    visitors.add(.init(has: { page.query(of: $0) != nil }, end: { routes.signOut($0) }))
    get(RouterPath(page.path)) { request, context in
      try await routes.atOwner(request) {
        try await routes.document(for: $0, by: visitors.admit($0, context))
      }
    }
    head(RouterPath(page.path)) {
      try await routes.document(for: $0, by: visitors.admit($0, $1)).createHeadResponse()
    }
    post(RouterPath(page.path)) { request, context in
      try await routes.atOwner(request) { request in
        try await routes.submission(for: request) { try await visitors.admit(request, context) }
      }
    }
    for method: HTTPRequest.Method in [.put, .patch, .delete, .options] {
      on(RouterPath(page.path), method: method) { request, _ in routes.notAllowed(request) }
    }
    paths.add(page.path)
    let base = page.path == "/" ? "" : page.path
    get(RouterPath(base + "/live")) { request, context in
      try await routes.atOwner(request) {
        try await routes.stream(for: $0, by: visitors.admit($0, context))
      }
    }
    if let inspector { routes.addInspector(inspector, to: self, at: base, for: visitors) }
    post(RouterPath(base + "/events")) { request, context in
      try await routes.atOwner(request) {
        try await routes.respond(to: $0, by: visitors.admit($0, context))
      }
    }
  }
}

/// The three routes of one page.
package final class LiveRoutes<Page: LivePage>: Sendable {
  typealias Session = LiveSession<Page>
  typealias Admitted = Admission<Page.Visitor>

  let page: Page
  /// Returns a regular expression for the paths of all live pages.
  let pages: @Sendable () -> String
  /// The version of the page's documents for anyone: the fingerprint of the page's version and of the script.
  private let build: String
  let limits: LiveLimits
  let clock: any Clock<Duration>
  let fields: HTTPFields
  let key: SigningKey
  let fleet: LiveFleet?
  /// The server that runs the screen that all visitors share; `nil` if it is this one.
  let sharedOwner: SharedOwner<Page>?
  let texts: [UserTexts]
  let writes: PendingWork
  let inspector: LiveInspector?
  let frame: @Sendable (LiveDocument) -> HTML
  package let sessions: LiveSessions<Page>
  let events: Counter
  private let rates: Mutex<ActionRates>
  /// The latest rendering of the state that all browsers share, by language index.
  let sharedViews = Mutex<[Int: SharedView<Page.Content.State>]>([:])

  package init(
    _ page: Page, pages: @escaping @Sendable () -> String = { "" }, limits: LiveLimits,
    clock: any Clock<Duration>, fields: HTTPFields = .page, key: SigningKey,
    fleet: LiveFleet? = nil, texts: [UserTexts] = [], writes: PendingWork,
    inspector: LiveInspector? = nil,
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    self.page = page
    self.pages = pages
    build = LiveAsset.fingerprint("\(LiveAsset.script.path) \(page.version)".utf8)
    self.fields = fields
    self.limits = limits
    self.clock = clock
    self.key = key
    self.fleet = fleet
    self.texts = texts
    self.writes = writes
    self.inspector = inspector
    self.frame = frame
    let sessions = LiveSessions(
      page, limits: limits, clock: clock, writes: writes, inspector: inspector,
      newID: fleet.map { key.sessionIDs(of: $0.server, at: page.path) })
    self.sessions = sessions
    sharedOwner =
      page.isShared
      ? fleet.map { SharedOwner(page, $0, sessions, keeping: limits.savedTime, key: key) } : nil
    fleet?.onSignOut { visitor in
      sessions.end { !$0.isEmpty && key.name(ofVisitor: $0) == visitor }
    }
    rates = Mutex(ActionRates(limit: limits.actionsPerVisitor))
    events = Counter(label: "curlew.live.events", dimensions: [("page", page.path)])
  }

  /// Ends the sessions of a visitor, at all servers.
  func signOut(_ visitor: String) {
    sessions.end { $0 == visitor }
    fleet?.announce(signOut: key.name(ofVisitor: visitor))
  }

  /// Returns the version of a visitor's documents, and its end: the hash of a known visitor's id, after a dot.
  func build(for admission: Admitted) -> (whole: String, visitor: String) {
    let visitor = admission.id.isEmpty ? "" : "." + SigningKey.hash(of: admission.id)
    return (build + visitor, visitor)
  }

  /// Returns the refusal of an action of a visitor who has sent too many; otherwise `nil`.
  func tooManyActions(by admission: Admitted) -> Response? {
    guard !rates.withLock({ $0.take(for: admission.id, at: sessions.now) }) else { return nil }
    var response = refusal(.tooManyRequests, "Too many actions. Try again in a moment.")
    response.headers[.retryAfter] = "1"
    return response
  }

  /// Returns the index of the page's language that a browser accepts.
  func language(of fields: HTTPFields) -> Int {
    guard texts.count > 1 else { return 0 }
    let wanted = WeightedValues(fields[.acceptLanguage]).preferred
    let language = UserTexts.preferred(of: texts, for: wanted).language
    return texts.firstIndex { $0.language == language } ?? 0
  }

  /// Calls a closure with a language's texts as the current texts.
  func show<Value>(in language: Int, _ body: () throws -> Value) rethrows -> Value {
    texts.isEmpty ? try body() : try texts[language].show(body)
  }

  /// Sends a screen the events of an address.
  func navigate(
    _ runner: Runner<Page.Content>, to query: LiveQuery, _ address: String,
    _ timeline: Timeline?
  ) {
    guard !page.isShared else { return runner.begin() }
    let send = { [page] in
      let events = page.events(for: query, in: runner.state)
      // The first event starts the screen itself, so that the screen loads nothing that the event then replaces.
      if events.isEmpty { runner.begin() }
      for event in events { runner.send(event) }
    }
    if let timeline { timeline.opens(address, by: send) } else { send() }
  }
}

/// Returns an error response with a plain-text explanation.
func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
  let fields: HTTPFields = [
    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
    .contentSecurityPolicy: "default-src 'none'", .xContentTypeOptions: "nosniff",
  ]
  return Response(
    status: status, headers: fields,
    body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
}

extension Response {
  /// A response without content, for a request that was applied.
  static var done: Response { Response(status: .noContent, headers: [.cacheControl: "no-store"]) }

  /// Returns a JSON response that caches don't store.
  static func json(_ content: ByteBuffer) -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: content))
  }
}
