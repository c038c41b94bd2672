import Curlew
import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Hummingbird
import Testing

/// The code of `CurlewLiveTesting.md`.
@Suite(.timeLimit(.minutes(1)))
struct DocumentationTests {
  struct Bird: Decodable, Equatable, Sendable { let name: String }

  /// The page of `CurlewLive.md`, without templates.
  struct BirdsPage: LivePage {
    let path = "/birds"
    let screen: Search<Bird>

    init(client: Client) throws {
      screen = Search { text in try await client.send(.get("/birds", query: ["name": text])) }
    }

    func events(for query: LiveQuery, in state: Search<Bird>.State) -> [Search<Bird>.Event] {
      [.term(query["q"] ?? ""), .submit]
    }
    func event(for action: LiveAction) -> Search<Bird>.Event? {
      action.name == "term" ? .term(action.value) : action.name == "submit" ? .submit : nil
    }
    func address(of state: Search<Bird>.State) -> LiveAddress {
      LiveAddress(["q": state.query.isEmpty ? nil : state.query], isHistoryEntry: !state.isLoading)
    }
    func title(of state: Search<Bird>.State) -> String { "Birds \(state.query)" }
    func render(_ state: Search<Bird>.State, _ activity: ScreenActivity) -> HTML {
      let status =
        switch state.placeholder {
        case .initial: "Type the name of a bird."
        case .loading: "Searching…"
        case nil: "\(state.items.count) birds"
        default: ""
        }
      let rows = state.items.map { "<li data-key=\"\($0.name)\">\($0.name)</li>" }.joined()
      return HTML(
        trusted: """
          <form data-live-submit="submit">
          <p id="search"><label>Bird <input name="q" value="\(HTML(text: state.text).text)" \
          data-live-input="term"></label>
          <button>Search</button></p></form>
          <p id="status" role="status">\(status)</p>
          <ul id="birds">\(rows)</ul>
          """)
    }
  }

  /// Refuses requests without the right token.
  struct RequiringToken<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
      _ request: Request, context: Context,
      next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
      guard request.headers[.authorization] == "Bearer ada" else {
        throw HTTPError(.unauthorized)
      }
      return try await next(request, context)
    }
  }

  private let frame: @Sendable (LiveDocument) -> HTML = { live in
    HTML(
      trusted: "<!doctype html><html><head><title>\(HTML(text: live.title).text)</title>"
        + "\(live.head.text)</head><body>\(live.content.text)</body></html>")
  }

  /// A site with two birds.
  private struct Site {
    let clock = TestClock(executor: TestExecutor())
    let stub: StubTransport
    let router = Router()

    init(_ frame: @escaping @Sendable (LiveDocument) -> HTML) throws {
      stub = StubTransport(clock: clock)
      for name in ["Kiwi", "Weka"] {
        stub.stub(
          .get("/birds", query: ["name": name.lowercased()]) as Curlew.Request<[Bird]>,
          with: .json("[{\"name\": \"\(name)\"}]"))
      }
      router.add(try BirdsPage(client: .stubbed(by: stub)), clock: clock, frame: frame)
    }
  }

  @Test func `a page is opened and searched`() async throws {
    let clock = TestClock(executor: TestExecutor())
    let stub = StubTransport(clock: clock)
    stub.stub(.get, "/birds", with: .json(#"[{"name": "Kiwi"}, {"name": "Weka"}]"#))
    let router = Router()
    router.add(try BirdsPage(client: .stubbed(by: stub)), clock: clock, frame: frame)

    let page = try await PageProbe(router, "/birds", clock: clock)
    #expect(page.text.contains("Type the name of a bird."))
    try await page.type("Bird", "e")
    try await page.advance(by: .milliseconds(500))  // the debounce of `Search`
    #expect(page.rows == ["Kiwi", "Weka"])
    #expect(page.address == "/birds?q=e" && page.title == "Birds e")
    #expect(page.fields["Bird"] == "e")
    #expect(page.announcements == ["2 birds"])
  }

  @Test func `a slow response is shown when it comes`() async throws {
    let site = try Site(frame)
    let (router, stub, clock) = (site.router, site.stub, site.clock)
    let gate = stub.hold(.get, "/birds")
    let page = try await PageProbe(router, "/birds?q=kiwi", clock: clock)
    #expect(page.text.contains("Searching…") && page.rows == [])
    gate.respond(with: .json(#"[{"name": "Kiwi"}]"#))
    try await page.settle()
    #expect(page.rows == ["Kiwi"])
  }

  @Test func `a page is explored`() async throws {
    func openPage() async throws -> PageProbe {
      let clock = TestClock(executor: TestExecutor())
      let stub = StubTransport(clock: TestClock())
      stub.stub(.get, "/birds", with: .json(#"[{"name": "Kiwi"}, {"name": "Weka"}]"#))
      let router = Router()
      router.add(try BirdsPage(client: .stubbed(by: stub)), clock: clock, frame: frame)
      return try await PageProbe(router, "/birds", clock: clock)
    }
    let isTextKept = ExplorationProperty<PageProbe>.finally { #expect($0.fields["Bird"] == "e") }
    await explore(
      try await openPage(), checking: [.equalsNewVisit, isTextKept], steps: 4, runs: 60
    ) { page in
      try await page.type("Bird", "e")
    }
  }

  @Test func `the same page works without JavaScript`() async throws {
    let site = try Site(frame)
    let (router, clock) = (site.router, site.clock)
    let page = try await PageProbe(router, "/birds", clock: clock, javaScript: false)
    try await page.type("Bird", "kiwi")
    try await page.click("Search")
    #expect(page.rows == ["Kiwi"])
  }

  @Test func `a page goes on after a restart`() async throws {
    let site = try Site(frame)
    let (newRouter, clock) = (site.router, site.clock)
    let old = Router()
    old.add(try BirdsPage(client: .stubbed(by: site.stub)), clock: clock, frame: frame)
    let page = try await PageProbe(old, "/birds?q=kiwi", clock: clock)
    page.disconnect()
    try await page.type("Bird", "weka")
    #expect(page.rows == ["Kiwi"])
    try await page.restart(newRouter)
    try await page.advance(by: .milliseconds(500))
    #expect(page.fields["Bird"] == "weka" && page.rows == ["Weka"])
  }

  @Test func `requests have the users header fields`() async throws {
    let site = try Site(frame)
    let clock = site.clock
    let router = Router()
    router.add(middleware: RequiringToken())
    router.add(try BirdsPage(client: .stubbed(by: site.stub)), clock: clock, frame: frame)
    let page = try await PageProbe(
      router, "/birds", clock: clock, headerFields: [.authorization: "Bearer ada"])
    #expect(page.status == .ok)
    page.headerFields[.authorization] = nil
    try await page.reload()
    #expect(page.status == .unauthorized)
  }
}
