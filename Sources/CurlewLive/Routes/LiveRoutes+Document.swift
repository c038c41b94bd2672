import CurlewScreens
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// How late a browser may be that was told to load a document again.
  private static var reloadGrace: Duration { .seconds(5) }
  /// The longest that a document for a page's script waits for its content: it comes later.
  private static var visitTime: Duration { .milliseconds(150) }

  /// Returns the complete page for a request's address, rendered when its content has been loaded
  /// or the time limit has passed.
  ///
  /// - Parameter event: The event that a form without JavaScript stands for.
  func document(
    for request: Request, sending event: Page.Content.Event? = nil
  ) async throws -> Response {
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
    let isVisit = request.headers[.liveVisit] != nil
    let resumed = event == nil ? resumedSession(for: request) : nil
    // When there are too many sessions, the page is still served, but isn't live.
    let client = LiveChannel.peer?.client(of: request.headers)
    let session = resumed ?? sessions.start(for: request.headers, client: client)
    let navigator = session?.navigator ?? LiveNavigator()
    let runner =
      session?.runner
      ?? Runner(page.screen, clock: clock, navigator: navigator, writes: writes)
    // In use until then.
    session?.expectReload(
      of: address, before: sessions.now + limits.renderTime + Self.reloadGrace,
      at: sessions.now)
    if resumed == nil { navigate(runner, to: query, address, session?.observer) }
    if let event { runner.send(event) }
    await settle(
      runner, isSubmitted: event != nil,
      for: isVisit ? min(Self.visitTime, limits.renderTime) : limits.renderTime)
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
      version: version, reload: reload,
      inspector: inspector.flatMap { isLocal(request) ? $0.files : nil })
    var fields = fields
    let now = sessions.now
    session?.expectReload(
      of: address, before: reload.map { now + $0 + Self.reloadGrace }, at: now)
    if reload != nil, !isVisit, let session {
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

  /// Waits until the screen is idle or presentable, at most for a time.
  ///
  /// - Parameter isSubmitted: Whether it has to finish what a form began.
  private func settle(
    _ runner: Runner<Page.Content>, isSubmitted: Bool, for time: Duration
  ) async {
    await withTaskGroup(of: Void.self) { [page] group in
      if !isSubmitted {
        group.addTask {
          for await state in runner.states where page.isPresentable(state) { return }
        }
      }
      group.addTask { await runner.idle() }
      group.addTask { [clock] in try? await clock.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }
}
