import CurlewScreens
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// The additional time that a session waits for a browser to reload the document.
  private static var reloadGrace: Duration { .seconds(5) }
  /// The maximum time that a document for a page's script waits for its content, which the stream
  /// delivers later.
  private static var visitTime: Duration { .milliseconds(150) }

  /// Returns the complete page for a request's address and visitor, rendered when its content has been loaded
  /// or the time limit has passed.
  ///
  /// - Parameter event: The event of a form that was submitted without JavaScript.
  func document(
    for request: Request, by admission: Admitted, sending event: Page.Content.Event? = nil
  ) async throws -> Response {
    let address = request.uri.string
    let path = request.uri.path
    // The page's script and browsers would parse the text after `//` as a host; browsers treat `\` as `/`, and
    // ignore tabs.
    let isSlash = { (byte: UInt8) in byte <= 0x20 || #"/\"#.utf8.contains(byte) }
    guard path.utf8.dropFirst().first.map(isSlash) != true else {
      let normal = "/" + Substring(address.utf8.drop(while: isSlash))
      return Response(status: .movedPermanently, headers: [.location: normal])
    }
    guard let query = page.query(of: address) else {
      throw HTTPError(.notFound)
    }
    let isVisit = request.headers[.liveVisit] != nil
    let resumed = event == nil ? resumedSession(for: request, by: admission.visitor) : nil
    // When there are too many sessions, the page is still served, but isn't live.
    let client = LiveChannel.peer?.client(of: request.headers)
    let language = resumed?.language ?? language(of: request.headers)
    let session =
      resumed
      ?? sessions.start(for: request.headers, by: admission, language: language, client: client)
    let navigator = session?.navigator ?? LiveNavigator()
    let runner =
      session?.runner ?? sessions.shared?.runner
      ?? Runner(
        page.screen(for: admission.visitor), clock: clock, navigator: navigator, writes: writes,
        errors: limits.screenErrors, activity: page.activity)
    // Keeps the session's work from being suspended while the page is rendered.
    session?.expectReload(
      of: address, before: sessions.now + limits.renderTime + Self.reloadGrace,
      at: sessions.now)
    if resumed == nil { navigate(runner, to: query, address, session?.timeline) }
    if let event { runner.send(event) }
    // After a form, all work must have finished; otherwise, a presentable state is enough.
    await settle(runner, for: isVisit ? min(Self.visitTime, limits.renderTime) : limits.renderTime)
    {
      [page] in event == nil && page.isPresentable($0.state)
    }
    if let address = navigator.take() {
      return Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }
    // After a form the browser loads the page from the same session, so that neither its back button nor a reload
    // asks the user to submit the form again (RFC 9110 section 15.4.4).
    if event != nil, let session, let cookie = cookie(of: session, path: path) {
      session.expectReload(
        of: address, before: sessions.now + Self.reloadGrace, at: sessions.now)
      return Response(
        status: .seeOther,
        headers: [.location: address, .cacheControl: "no-store", .setCookie: cookie])
    }
    // Read in this order: if no work is running, the state is final.
    let isDone = !runner.isWorking
    let snapshot = Snapshot(runner)
    let (view, markup) = view(of: snapshot, in: language, for: admission.id)
    let version = session?.nextVersion()
    if let session, let version { session.show(view.loaded(from: address), as: version, by: 0) }
    let reload = isDone ? reloadDelay(of: snapshot) : .seconds(2)
    let text = text(of: view, markup, in: language)
    let page = show(in: language) {
      frame(
        LiveDocument(
          path: path, pages: pages(), view: view, text: text, build: build(for: admission).whole,
          session: session?.id,
          version: version, reload: reload, isShared: self.page.isShared,
          inspector: inspector.flatMap { isLocal(request) ? $0.files : nil }))
    }
    var fields = fields
    // After a sign-out, the back button must not show the document again.
    if !admission.id.isEmpty { fields[.cacheControl] = "no-store" }
    let now = sessions.now
    session?.expectReload(
      of: address, before: reload.map { now + $0 + Self.reloadGrace }, at: now)
    if reload != nil, !isVisit, let session {
      fields[.setCookie] = cookie(of: session, path: path)
    }
    return Response(
      status: .ok, headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
  }

  /// Returns the session whose document a browser without JavaScript reloads, so that its running
  /// work, such as a search, continues without a second request.
  private func resumedSession(
    for request: Request, by visitor: Page.Visitor
  ) -> Session? {
    for id in request.liveCookies {
      guard let session = sessions[id], session.visitor == visitor,
        session.awaitsReload(of: request.uri.string)
      else { continue }
      return session
    }
    return nil
  }

  /// Returns the cookie with which a browser without JavaScript continues its session when it
  /// reloads the page (RFC 6265); `nil` for a path that a cookie can't contain.
  ///
  /// The cookie is set only for a page that is to be reloaded, or loaded after a form. Scripts can't read it, other sites'
  /// requests don't carry it, and it is sent only to its page. Two tabs with the same page share
  /// it: the tab whose cookie was replaced starts a new session. So does a browser without cookies, which then shows a
  /// submitted form anew.
  private func cookie(of session: Session, path: String) -> String? {
    guard !path.contains(";") else { return nil }
    return "live=\(session.id); Path=\(path); Max-Age=\(limits.connectTime.components.seconds); "
      + "HttpOnly; SameSite=Strict"
  }

  /// Returns the delay after which a browser without JavaScript reloads the page; `nil` for no reload.
  private func reloadDelay(of snapshot: Snapshot<Page.Content.State>) -> Duration? {
    // Reloading a page doesn't repeat a rejected write.
    let retries = snapshot.activity.alerts.filter { $0.kind != .write }.compactMap(\.secondsLeft)
    return retries.min().map { .seconds($0) } ?? page.reloadDelay(of: snapshot.state)
  }

  /// Waits until the screen has finished its work or `isWanted` returns true, at most for `time`.
  func settle(
    _ runner: Runner<Page.Content>, for time: Duration,
    until isWanted: @escaping @Sendable (Snapshot<Page.Content.State>) -> Bool
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await _ in runner.states where isWanted(Snapshot(runner)) { return }
      }
      group.addTask { await runner.waitUntilIdle() }
      group.addTask { [clock] in try? await clock.sleep(for: time) }
      await group.next()
      group.cancelAll()
    }
  }
}
