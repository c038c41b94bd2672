import CurlewLive
import CurlewLiveTesting
import CurlewTesting
import Hummingbird
import ShowcaseTestSupport
import Synchronization

/// A server of the site of a story, whose connection is lost while it is stopped.
final class StoryServer: Sendable {
  private struct State {
    var router: (id: ObjectIdentifier, responder: any HTTPResponder<BasicRequestContext>)
    var running: Task<Void, any Error>?
  }

  let port = freePort()
  private let state: Mutex<State>

  init(_ router: Router<BasicRequestContext>) {
    state = Mutex(State(router: (ObjectIdentifier(router), router.buildResponder())))
  }

  /// Starts the server, with all sessions that it had.
  func start() async throws {
    let (started, signal) = AsyncStream<Void>.makeStream()
    let responder = state.withLock { $0.router.responder }
    let application = Application(
      responder: StoryResponder(inner: responder), server: .live(),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { _ in signal.finish() })
    let running = Task {
      defer { signal.finish() }
      try await application.run()
    }
    state.withLock { $0.running = running }
    for await _ in started {}
  }

  func stop() async {
    let running = state.withLock { $0.running.take() }
    running?.cancel()
    _ = await running?.result
  }

  /// Ends all sessions, and serves another router.
  func restart(_ router: Router<BasicRequestContext>) async throws {
    guard state.withLock({ $0.router.id != ObjectIdentifier(router) }) else { return }
    await stop()
    state.withLock { $0.router = (ObjectIdentifier(router), router.buildResponder()) }
    try await start()
  }
}

private struct StoryResponder: HTTPResponder {
  let inner: any HTTPResponder<BasicRequestContext>

  @concurrent func respond(
    to request: Request, context: BasicRequestContext
  ) async throws -> Response {
    try await inner.respond(to: request, context: context)
  }
}

/// A window of a real browser, in which time passes ten times as fast for the script's long waits.
final class ChromiumTab: VisitorTab {
  private let browser: Browser
  private let window: String
  private let server: StoryServer
  private let site: AccountSite

  /// Opens a window with the page of notes.
  ///
  /// - Parameter isFirst: Whether to use the browser's first window.
  init(
    _ browser: Browser, called name: String, isFirst: Bool, _ server: StoryServer,
    _ site: AccountSite
  ) async throws {
    (self.browser, self.server, self.site) = (browser, server, site)
    window = isFirst ? try await browser.tab : try await browser.newTab(.window)
    try await browser.select(window)
    try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.speed])
    try await browser.devTools(
      "Network.setCookie",
      ["name": "browser", "value": name, "url": "http://127.0.0.1:\(server.port)/"])
    try await visit("/notes")
  }

  private static let speed = """
    const [now, later] = [performance.now.bind(performance), setTimeout.bind(window)];
    performance.now = () => 10 * now();
    window.setTimeout = (run, time, ...rest) => later(run, time < 3_500 ? time : time / 10, ...rest);
    """

  func visit(_ address: String) async throws {
    try await browser.select(window)
    try await browser.open("http://127.0.0.1:\(server.port)\(address)")
  }

  func back() async throws {
    try await browser.select(window)
    if try await browser.evaluate("navigation.canGoBack") { try await browser.back() }
  }

  func write(_ text: String, as owner: String) async throws {
    try await act(
      """
      const field = document.querySelector("input");
      if (!field || document.querySelector("#owner")?.textContent !== arguments[1]) return false;
      field.focus();
      field.value = arguments[0];
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
      return true;
      """, text, owner)
  }

  func press(_ button: String) async throws {
    try await act(
      """
      const button = [...document.querySelectorAll("button")].find((one) => one.textContent === arguments[0]);
      button?.click();
      return Boolean(button);
      """, button, "")
  }

  /// Runs a script that returns whether it has found its control, and waits for its request.
  private func act(_ script: String, _ first: String, _ second: String) async throws {
    try await browser.select(window)
    let count = site.record.requests
    guard try await browser.run(script, first, second, returning: Bool.self) else {
      throw PageFailure.notFound(kind: "control", name: first, others: [])
    }
    try await waitForRequest(after: count)
  }

  /// A tab that waits, or shows the sign-in, sends none.
  private func waitForRequest(after count: Int) async throws {
    try? await eventually("it sends a request", within: .seconds(1)) {
      site.record.requests > count
    }
  }

  func disconnect() async { await server.stop() }

  func reconnect() async throws {
    let count = site.record.requests
    try await server.start()
    try await browser.select(window)
    try await browser.run("dispatchEvent(new Event('online'))")
    try await waitForRequest(after: count)
  }

  func restart(_ router: Router<BasicRequestContext>) async throws {
    try await server.restart(router)
  }

  func advance(by duration: Duration) { site.clock.advance(by: duration) }

  func settle() async throws { _ = try await view { $0.owner != nil || $0.text == "Sign in" } }

  func view(where isExpected: (VisitorView) -> Bool) async throws -> VisitorView {
    try await browser.select(window)
    var view = VisitorView(owner: nil, text: "", all: "")
    try? await eventually("it is shown", within: .seconds(30)) {
      // A user loads a document again that the browser could not load while the server was stopped.
      view = try await browser.run(
        """
        if (location.protocol === "chrome-error:") location.reload();
        const fields = [...document.querySelectorAll("input")].map((field) => field.value);
        return {
          owner: document.querySelector("#owner")?.textContent, text: document.body.innerText.trim(),
          all: [document.title, document.documentElement.outerHTML, ...fields].join(" "),
        };
        """, returning: VisitorView.self)
      return isExpected(view)
    }
    return view
  }
}
