import CoreMetrics
public import CurlewScreens
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

extension Router {
  /// Serves a screen as a page, and keeps it live in browsers that run its script.
  ///
  /// It adds three routes: the page itself, `…/live` for the stream of states (server-sent events),
  /// and `…/events` for the user's actions.
  ///
  /// - Parameters:
  ///   - page: The screen and its rendering.
  ///   - limits: The limits on sessions, connections and messages.
  ///   - clock: The clock for the screens and the limits.
  ///   - images: The origins that images may be loaded from, besides the site's own.
  ///   - key: The key that signs what browsers keep; several processes need the same one.
  ///   - writes: The count of the pending writes of all sessions, so that the server can wait for
  ///     them before it exits: a write continues after its browser has disconnected.
  ///   - frame: A closure that renders the complete document around a screen.
  public func add<Page: LivePage>(
    _ page: Page,
    limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    images: [String] = [],
    key: LiveKey = .random(),
    writes: PendingWork = PendingWork(),
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    let routes = LiveRoutes(
      page: page, limits: limits, clock: clock, fields: .page(images: images), key: key,
      writes: writes, frame: frame)
    get(RouterPath(page.path)) { request, _ in try await routes.document(for: request) }
    head(RouterPath(page.path)) { request, _ in
      try await routes.document(for: request).createHeadResponse()
    }
    for method: HTTPRequest.Method in [.post, .put, .patch, .delete, .options] {
      on(RouterPath(page.path), method: method) { _, _ in
        var response = refusal(.methodNotAllowed, "This page supports only GET and HEAD.")
        response.headers[.allow] = "GET, HEAD"
        return response
      }
    }
    get(RouterPath(page.path + "/live")) { request, _ in routes.stream(for: request) }
    post(RouterPath(page.path + "/events")) { request, _ in await routes.respond(to: request) }
  }
}

/// The three routes of one page.
struct LiveRoutes<Page: LivePage>: Sendable {
  typealias Session = LiveSession<Page.Content>

  /// How late a browser may be that was told to load a document again.
  private static var reloadGrace: Duration { .seconds(5) }

  private let page: Page
  /// The version of the page's documents: the fingerprint of its own version and of the script.
  private let build: String
  private let limits: LiveLimits
  private let clock: any Clock<Duration>
  private let fields: HTTPFields
  private let key: LiveKey
  private let writes: PendingWork
  private let frame: @Sendable (LiveDocument) -> HTML
  private let sessions: LiveSessions<Page.Content>
  private let events: Counter

  init(
    page: Page, limits: LiveLimits, clock: any Clock<Duration>, fields: HTTPFields, key: LiveKey,
    writes: PendingWork, frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    self.page = page
    build = LiveAsset.fingerprint("\(LiveAsset.script.path) \(page.version)".utf8)
    self.fields = fields
    self.limits = limits
    self.clock = clock
    self.key = key
    self.writes = writes
    self.frame = frame
    sessions = LiveSessions(
      page.screen, limits: limits, clock: clock, writes: writes, path: page.path)
    events = Counter(label: "curlew.live.events", dimensions: [("page", page.path)])
  }

  // MARK: The page

  /// Returns the complete page for a request's address, rendered when its content has been loaded
  /// or the time limit has passed.
  func document(for request: Request) async throws -> Response {
    let address = request.uri.string
    let path = request.uri.path
    // The script would take what follows for a host.
    guard !path.hasPrefix("//") else {
      let normal = "/" + address.drop { $0 == "/" }
      return Response(status: .movedPermanently, headers: [.location: normal])
    }
    guard let query = page.query(of: address) else {
      throw HTTPError(.notFound)
    }
    let resumed = resumedSession(for: request)
    // When there are too many sessions, the page is still served, but isn't live.
    let session = resumed ?? sessions.start(for: request.headers)
    let navigator = session?.navigator ?? LiveNavigator()
    let runner =
      session?.runner
      ?? Runner(page.screen, clock: clock, navigator: navigator, writes: writes)
    // In use until then.
    session?.rendered(
      address, reloadedBefore: sessions.now + limits.renderTime + Self.reloadGrace,
      at: sessions.now)
    if resumed == nil { navigate(runner, to: query) }
    await settle(runner)
    if let address = navigator.take() {
      return Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }
    // Read in this order, so that a page that is said to be complete is.
    let isDone = !runner.isWorking
    let state = runner.state
    let (view, markup) = LiveView.render(page, state, limit: limits.fragments, key: key)
    let version = session?.nextVersion()
    if let session, let version { session.show(view.loaded(from: address), as: version) }
    let reload = isDone ? page.reloadDelay(of: state) : .seconds(2)
    let document = LiveDocument(
      path: path, view: view, markup: markup, build: build, session: session?.id,
      version: version, reload: reload)
    var fields = fields
    let now = sessions.now
    session?.rendered(
      address, reloadedBefore: reload.map { now + $0 + Self.reloadGrace }, at: now)
    if reload != nil, let session {
      fields[.setCookie] = LiveCookie(session.id).field(path: path, limits.connectTime)
    }
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(string: frame(document).text)))
  }

  /// Returns the session of the document that a browser without JavaScript was told to load again:
  /// its search runs on, and costs no second request.
  private func resumedSession(for request: Request) -> Session? {
    LiveCookie.all(in: request.headers).lazy.compactMap { sessions[$0.session] }
      .first { $0.awaitsReload(of: request.uri.string) }
  }

  private func navigate(_ runner: Runner<Page.Content>, to query: LiveQuery) {
    for event in page.events(for: query, in: runner.state) { runner.send(event) }
  }

  /// Waits until the screen is idle or presentable, at most for ``LiveLimits/renderTime``.
  private func settle(_ runner: Runner<Page.Content>) async {
    await withTaskGroup(of: Void.self) { [page] group in
      group.addTask { for await state in runner.states where page.isPresentable(state) { return } }
      group.addTask { await runner.idle() }
      group.addTask { [clock, limits] in try? await clock.sleep(for: limits.renderTime) }
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: The stream of states

  /// Returns the stream of a session's changes: the session that the request names, or a new one for
  /// its address.
  func stream(for request: Request) -> Response {
    // It would never be read, and hold the connection up when it is longer than what is buffered.
    guard (request.headers[.contentLength] ?? "0") == "0", request.headers[.transferEncoding] == nil
    else { return refusal(.contentTooLarge, "This request has no content.") }
    guard let tab = request.headers.liveTab else {
      return refusal(.badRequest, "The tab has no name.")
    }
    var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    fields[.xContentTypeOptions] = "nosniff"
    if let theirs = request.headers[.liveBuild], theirs != build {
      return Response(
        status: .ok, headers: fields,
        body: ResponseBody(byteBuffer: ByteBuffer(string: "event: reload\ndata:\n\n")))
    }
    let known = sessions[request.headers]
    guard let session = known ?? sessions.start(for: request.headers) else {
      return refusal(.serviceUnavailable, "Too many pages are open. Try again in a moment.")
    }
    if known == nil {
      _ = session.belongs(to: tab)
      let address = LiveQuery(request.uri.query ?? "")["address"] ?? ""
      if let query = page.query(of: address) { navigate(session.runner, to: query) }
      if let kept = request.headers[.liveKept].flatMap({ key.text(of: $0, for: page) }) {
        let events = page.events(restoring: kept, in: session.runner.state)
        for event in events { session.runner.send(event) }
      }
    }
    let version = request.headers[.liveVersion].flatMap(Int.init) ?? 0
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody { writer in
        let stream = LiveStream(
          page: page, session: session, clock: clock, limits: limits, key: key, version: version,
          isNew: known == nil, now: { sessions.now })
        // An error thrown here means that the connection has ended.
        try? await request.body.consumeWithInboundCloseHandler { _ in
          try await stream.write(to: &writer)
        } onInboundClosed: {
          stream.end()
        }
        try await writer.finish(nil)
      })
  }

  // MARK: Actions

  /// Sends one action to its session's screen.
  func respond(to request: Request) async -> Response {
    guard isSameOrigin(request) else {
      return refusal(.forbidden, "This page accepts events only from its own origin.")
    }
    var request = request
    guard let body = try? await request.collectBody(upTo: limits.messageSize) else {
      return refusal(.contentTooLarge, "The event exceeds \(limits.messageSize) bytes.")
    }
    guard
      let message = try? JSONDecoder().decode(LiveMessage.self, from: Data(body.readableBytesView))
    else { return refusal(.badRequest, "The event is malformed.") }
    guard let session = sessions[request.headers] else {
      return refusal(.notFound, "The session has ended.")
    }
    let done = Response(status: .noContent, headers: [.cacheControl: "no-store"])
    guard session.receive(message.number) else { return done }
    events.increment()
    // Acknowledged after the event is applied, so that no earlier state claims to include it.
    defer { session.acknowledge(message.number, at: sessions.now) }
    if message.name == LiveMessage.navigate {
      guard let query = page.query(of: message.value) else {
        return refusal(.badRequest, "The address does not belong to this page.")
      }
      navigate(session.runner, to: query)
    } else if let event = page.event(
      for: LiveAction(name: message.name, value: message.value))
    {
      session.runner.send(event)
    } else {
      return refusal(.badRequest, "The action is unknown to this page.")
    }
    return done
  }

  /// Returns whether a request has the site's own origin, which browsers send with every `POST`
  /// (WHATWG Fetch section 3.2).
  private func isSameOrigin(_ request: Request) -> Bool {
    guard let origin = request.headers[.origin], let host = request.head.authority else {
      return false
    }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

/// Returns an error response with a plain-text explanation.
private func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
  var fields: HTTPFields = [
    .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store",
    .contentSecurityPolicy: "default-src 'none'",
  ]
  fields[.xContentTypeOptions] = "nosniff"
  return Response(
    status: status, headers: fields,
    body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
}
