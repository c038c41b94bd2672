public import CurlewScreens
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

extension Router {
  /// Serves a screen as a page, and keeps it live in browsers that run its script.
  ///
  /// Three routes: the page itself, `…/live` for the stream of states (server-sent events), and
  /// `…/events` for what the user does.
  ///
  /// - Parameters:
  ///   - page: The screen and how it looks.
  ///   - limits: How much browsers may ask for.
  ///   - clock: The clock of the screens and of the limits.
  ///   - images: The origins that images may come from, besides the site's own.
  ///   - writes: Counts the writes of all its screens, so that a server can wait for them before it
  ///     ends: a write goes on when its browser has gone.
  ///   - frame: Draws the whole document around a screen.
  public func add<Page: LivePage>(
    _ page: Page,
    limits: LiveLimits = LiveLimits(),
    clock: any Clock<Duration> = ContinuousClock(),
    images: [String] = [],
    writes: PendingWork = PendingWork(),
    frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    let routes = LiveRoutes(
      page: page, limits: limits, clock: clock, fields: .page(images: images), writes: writes,
      frame: frame)
    get(RouterPath(page.path)) { request, _ in try await routes.document(for: request) }
    head(RouterPath(page.path)) { request, _ in
      try await routes.document(for: request).createHeadResponse()
    }
    for method: HTTPRequest.Method in [.post, .put, .patch, .delete, .options] {
      on(RouterPath(page.path), method: method) { _, _ in
        var response = refusal(.methodNotAllowed, "A page can only be read.")
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

  private let page: Page
  private let limits: LiveLimits
  private let clock: any Clock<Duration>
  private let fields: HTTPFields
  private let writes: PendingWork
  private let frame: @Sendable (LiveDocument) -> HTML
  private let sessions: LiveSessions<Page.Content>

  init(
    page: Page, limits: LiveLimits, clock: any Clock<Duration>, fields: HTTPFields,
    writes: PendingWork, frame: @escaping @Sendable (LiveDocument) -> HTML
  ) {
    self.page = page
    self.fields = fields
    self.limits = limits
    self.clock = clock
    self.writes = writes
    self.frame = frame
    sessions = LiveSessions(page.screen, limits: limits, clock: clock, writes: writes)
  }

  // MARK: The page

  /// The whole page as the address says, drawn when its content is there or has taken too long.
  func document(for request: Request) async throws -> Response {
    let address = request.uri.string
    guard let query = page.query(of: address) else {
      throw HTTPError(.notFound)
    }
    // Without a session there is still a page: it only isn't live.
    let session = sessions.start()
    let navigator = session?.navigator ?? LiveNavigator()
    let runner =
      session?.runner
      ?? Runner(page.screen, clock: clock, navigator: navigator, writes: writes)
    navigate(runner, to: query)
    await settle(runner)
    if let address = navigator.take() {
      return Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }
    let document = LiveDocument(
      page, at: request.uri.path, runner.state, session: session?.id, isDone: !runner.isWorking)
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(string: frame(document).text)))
  }

  private func navigate(_ runner: Runner<Page.Content>, to query: LiveQuery) {
    for event in page.events(for: query, in: runner.state) { runner.send(event) }
  }

  /// Waits until the screen has nothing more to do or enough to show, but not for ever.
  private func settle(_ runner: Runner<Page.Content>) async {
    await withTaskGroup(of: Void.self) { [page] group in
      group.addTask { for await state in runner.states where page.isPresentable(state) { return } }
      group.addTask { await runner.idle() }
      group.addTask { [clock, limits] in try? await clock.sleep(for: limits.settleTime) }
      await group.next()
      group.cancelAll()
    }
  }

  // MARK: States come down

  /// The states of a session: the one that the browser names, or a new one at its address.
  func stream(for request: Request) -> Response {
    let query = LiveQuery(request.uri.query ?? "")
    let known = query["session"].flatMap { sessions[$0] }
    guard let session = known ?? sessions.start() else {
      return refusal(.serviceUnavailable, "Too many pages are open. Try again in a moment.")
    }
    if known == nil, let query = page.query(of: query["address"] ?? "") {
      navigate(session.runner, to: query)
    }
    var fields: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    fields[.xContentTypeOptions] = "nosniff"
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody { writer in
        let stream = LiveStream(
          page: page, session: session, clock: clock, limits: limits, now: { sessions.now })
        // What is thrown here is the end of the connection.
        try? await request.body.consumeWithCancellationOnInboundClose { _ in
          try await stream.write(to: &writer)
        }
        try await writer.finish(nil)
      })
  }

  // MARK: Events go up

  /// Passes one action on to its session's screen.
  func respond(to request: Request) async -> Response {
    guard isSameOrigin(request) else {
      return refusal(.forbidden, "This page takes events from its own origin only.")
    }
    var request = request
    guard let body = try? await request.collectBody(upTo: limits.messageSize) else {
      return refusal(.contentTooLarge, "An event may have \(limits.messageSize) bytes at most.")
    }
    guard
      let message = try? JSONDecoder().decode(LiveMessage.self, from: Data(body.readableBytesView))
    else { return refusal(.badRequest, "This is not an event.") }
    guard let session = sessions[message.session] else {
      return refusal(.notFound, "There is no such session any more.")
    }
    // After the event, so that no state that has not seen it says so.
    defer { session.acknowledge(message.number, at: sessions.now) }
    if message.name == LiveMessage.navigate {
      guard let query = page.query(of: message.value) else {
        return refusal(.badRequest, "This page has no such address.")
      }
      navigate(session.runner, to: query)
    } else if let event = page.event(
      for: LiveAction(name: message.name, value: message.value))
    {
      session.runner.send(event)
    } else {
      return refusal(.badRequest, "This page has no such action.")
    }
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  /// Browsers name the origin of every `POST` (WHATWG Fetch section 3.2).
  private func isSameOrigin(_ request: Request) -> Bool {
    guard let origin = request.headers[.origin], let host = request.head.authority else {
      return false
    }
    return origin == "http://\(host)" || origin == "https://\(host)"
  }
}

/// A response that only says why there is no other.
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
