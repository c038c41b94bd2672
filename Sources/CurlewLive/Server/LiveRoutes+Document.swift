import CurlewScreens
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// How late a browser may be that was told to load a document again.
  private static var reloadGrace: Duration { .seconds(5) }

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
    session?.expectReload(
      of: address, before: sessions.now + limits.renderTime + Self.reloadGrace,
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
    session?.expectReload(
      of: address, before: reload.map { now + $0 + Self.reloadGrace }, at: now)
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
}
