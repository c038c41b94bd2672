import Curlew
import CurlewAsyncHTTPClient
import CurlewLive
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// The code of `CurlewLive.md`.
@Suite(.timeLimit(.minutes(1)))
struct LiveDocumentationTests {
  struct Bird: Decodable, Equatable, Sendable { let name: String }

  struct BirdsPage: LivePage {
    let path = "/birds"
    let screen: Search<Bird>
    let template: HTMLTemplate<BirdsView>
    let row: HTMLTemplate<BirdRow>

    init(client: Client) throws {
      screen = Search { text in try await client.send(.get("/birds", query: ["name": text])) }
      template = try HTMLTemplate(
        """
        <form data-live-submit="submit">
        <p id="search"><label>Bird <input name="q" value="{{text}}" data-live-input="term"></label>
        <button>Search</button></p></form>
        <p id="status" role="status">{{status}}</p>
        <ul id="birds">{{{birds}}}</ul>
        """)
      row = try HTMLTemplate("<li data-key=\"{{name}}\">{{name}}</li>")
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
      let rows = LivePiece("birds", rows: state.items, key: \.name) { [row] bird in
        row(BirdRow(name: bird.name))
      }
      return template(BirdsView(text: state.text, status: status(of: state), birds: rows))
    }

    private func status(of state: Search<Bird>.State) -> String {
      switch state.placeholder {
      case .initial: state.query.isEmpty ? "Type the name of a bird." : ""
      case .hint(let hint): hint
      case .loading: "Searching…"
      case .empty(let term): "No bird is called “\(term)”."
      case .failed(let failure): failure.message
      case nil: state.results.failure?.message ?? (state.isLoading ? "Searching…" : "")
      }
    }
  }

  struct BirdsView: TemplateValues {
    let text, status: String
    let birds: LivePiece
    static let names: TemplateNames<Self> = ["text": \.text, "status": \.status, "birds": \.birds]
  }

  struct BirdRow: TemplateValues {
    let name: String
    static let names: TemplateNames<Self> = ["name": \.name]
  }

  struct Nests: Equatable {
    var birds: [Bird]
    var picked: Bird?
  }

  struct NestRow: TemplateValues {
    let bird: Bird
    let isPicked: Bool
    static let names: TemplateNames<Self> = ["name": \.bird.name, "isPicked": \.isPicked]
  }

  struct NestPanel: TemplateValues {
    let bird: Bird
    static let names: TemplateNames<Self> = ["name": \.bird.name]
  }

  struct NestPage: TemplateValues {
    let rows, panel: LivePiece
    static let names: TemplateNames<Self> = ["rows": \.rows, "panel": \.panel]
  }

  private func nests(_ state: Nests) throws -> HTML {
    let row = try HTMLTemplate<NestRow>(
      "<li data-key=\"{{name}}\">{{name}}{{#isPicked}}!{{/isPicked}}</li>")
    let panelTemplate = try HTMLTemplate<NestPanel>("<p id=\"panel\">{{name}}</p>")
    let rows = LivePiece(
      "rows", rows: state.birds, key: \.name, also: { $0.name == state.picked?.name }
    ) { bird, isPicked in
      row(NestRow(bird: bird, isPicked: isPicked))
    }
    let panel = LivePiece("panel", state.picked) { picked in
      picked.map { panelTemplate(NestPanel(bird: $0)) } ?? HTML(text: "")
    }
    return try HTMLTemplate("<ul id=\"rows\">{{{rows}}}</ul>{{{panel}}}")(
      NestPage(rows: rows, panel: panel))
  }

  @Test func `pieces show values and rows`() throws {
    var state = Nests(birds: [Bird(name: "a"), Bird(name: "b")])
    let rows = "<ul id=\"rows\"><li data-key=\"a\">a</li><li data-key=\"b\">b"
    #expect(try nests(state).text == "\(rows)</li></ul>")
    state.picked = state.birds[1]
    #expect(try nests(state).text == "\(rows)!</li></ul><p id=\"panel\">b</p>")
  }

  private func serve() async throws {
    let client = Client(baseURL: "https://birds.example") { $0.transport = .asyncHTTPClient }
    let document = try HTMLTemplate<LiveDocument>(
      """
      <!doctype html><html lang="en"><head><title>{{title}}</title>{{{head}}}</head>
      <body>{{{content}}}<p role="status" data-live-connection>
      <template>Connection lost. Trying again…</template></p></body></html>
      """)
    let router = Router()
    router.add(LiveAsset.script)
    router.add(try BirdsPage(client: client)) { live in document(live) }
    let application = Application(router: router, server: .live())
    try await application.runService()
  }

  @Test func `the first page is served`() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/birds", with: .json("[]"), .status(.serviceUnavailable))
    let curlew = Curlew.Request<[Bird]>.get("/birds", query: ["name": "curlew"])
    stub.stub(curlew, with: .json(#"[{"name": "Eurasian curlew"}]"#))
    try await site(BirdsPage(client: .stubbed(by: stub))).test(.router) { client in
      func page(_ query: String) async throws -> String {
        try await client.execute(uri: "/birds?\(query)", method: .get).text
      }
      let found = try await page("q=curlew&x=%3Cb%3E")
      #expect(found.contains(#"value="curlew""#))
      #expect(found.contains(#"<li data-key="Eurasian curlew">Eurasian curlew</li>"#))
      #expect(found.contains(#"<p id="status" role="status"></p>"#))
      #expect(try await page("").contains("Type the name of a bird."))
      #expect(try await page("q=%3C").contains("No bird is called “&lt;”."))
      let failed = try await page("q=tern")
      #expect(
        failed.contains(
          "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.inAMoment))"))
    }
  }

  @Test func `a stylesheet is an asset`() async throws {
    let router = Router()
    let css = Array("li { color: teal }".utf8)
    let styles = LiveAsset(named: "birds.css", bytes: css, contentType: "text/css; charset=utf-8")
    router.add(styles)

    try await Application(router: router, server: .live()).test(.live) { client in
      let response = try await client.execute(uri: styles.path, method: .get)
      #expect(response.text == "li { color: teal }")
    }
  }
}

extension LiveDocumentationTests {
  struct Account: FormDraft {
    enum Field: CaseIterable { case name }
    var name = ""
    subscript(field: Field) -> String {
      get { name }
      set { name = newValue }
    }
    func problem(in field: Field) -> String? { name.isEmpty ? "Enter a name." : nil }
  }

  struct SignUpPage: LivePage {
    let path = "/signup"
    let screen: FormScreen<Account, Int>
    let template: HTMLTemplate<SignUpView>

    func events(
      for query: LiveQuery, in state: FormScreen<Account, Int>.State
    ) -> [FormScreen<Account, Int>.Event] { [] }
    func event(for action: LiveAction) -> FormScreen<Account, Int>.Event? {
      guard action.name == "create" else { return .change(.name, action.value) }
      return .send([.name: action.fields["name"] ?? ""], key: action.fields["key"])
    }
    func address(of state: FormScreen<Account, Int>.State) -> LiveAddress { LiveAddress() }
    func title(of state: FormScreen<Account, Int>.State) -> String { "Sign up" }
    func render(_ state: FormScreen<Account, Int>.State, _ activity: ScreenActivity) -> HTML {
      template(
        SignUpView(
          name: state.draft[.name], problem: state.problem(in: .name), key: state.key,
          rejectedSubmits: state.rejectedSubmits))
    }
  }

  struct SignUpView: TemplateValues {
    let name: String
    let problem: String?
    let key: String
    let rejectedSubmits: Int
    static let names: TemplateNames<Self> = [
      "name": \.name, "problem": \.problem, "key": \.key, "rejectedSubmits": \.rejectedSubmits,
    ]
  }

  @Test func `the form is validated and sent`() async throws {
    let form = """
      <form id="signup" method="post" action="/signup" novalidate data-live-submit="create" data-live-refused="{{rejectedSubmits}}">
      <input type="hidden" name="live:submit" value="create"><input id="key" type="hidden" name="key" value="{{key}}">
      <p id="entry"><label for="name">Name</label> <input id="name" name="name" value="{{name}}" data-live-input="name"
      {{#problem}}aria-invalid="true" {{/problem}}aria-describedby="problem"> <span id="problem">{{problem}}</span></p>
      <button type="submit">Sign up</button></form>
      """
    let signUp = FormScreen<Account, Int>(Account(), route: { Welcome(address: "/users/\($0)") }) {
      _, _ in 7
    }
    let page = SignUpPage(screen: signUp, template: try HTMLTemplate(form))
    try await site(page).test(.router) { client in
      func send(_ body: String) async throws -> TestResponse {
        try await client.execute(
          uri: "/signup", method: .post,
          headers: [
            .origin: "http://localhost", .contentType: "application/x-www-form-urlencoded",
          ], body: ByteBuffer(string: body))
      }
      let refused = try await send("live%3Asubmit=create&name=&key=k").following(in: client)
      #expect(refused.text.contains("Enter a name."))
      #expect(refused.text.contains(#"data-live-refused="1""#))
      let taken = try await send("live%3Asubmit=create&name=Ann&key=k")
      #expect(taken.status == .seeOther && taken.headers[.location] == "/users/7")
    }
  }

  struct Welcome: Route {
    let address: String
  }

  struct Places: Screen {
    enum Event { case near(Search<String>.Event), far(Search<String>.Event) }
    struct State: Equatable { var near, far: Search<String>.State }
    let near = Search<String> { text in try await birds(named: text) }
    let far = Search<String> { text in try await birds(named: text) }

    var initial: State { State(near: near.initial, far: far.initial) }
    var parts: [Part<State, Event>] {
      [Part(\.near, near, event: Event.near), Part(\.far, far, event: Event.far)]
    }
    func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
      switch event {
      case .near(let event): work.scope(\.near) { near.handle(event, &state.near, &$0) }
      case .far(let event): work.scope(\.far) { far.handle(event, &state.far, &$0) }
      }
    }
  }

  struct PlacesPage: LivePage {
    let path = "/places"
    let screen = Places()

    func events(for query: LiveQuery, in state: Places.State) -> [Places.Event] {
      [
        .near(.term(query["near"] ?? "")), .near(.submit), .far(.term(query["far"] ?? "")),
        .far(.submit),
      ]
    }
    func event(for action: LiveAction) -> Places.Event? {
      switch action.name {
      case "near": .near(.term(action.value))
      case "far": .far(.term(action.value))
      default: nil
      }
    }
    func address(of state: Places.State) -> LiveAddress {
      LiveAddress(["near": state.near.query, "far": state.far.query])
    }
    func title(of state: Places.State) -> String { "Places" }
    func render(_ state: Places.State, _ activity: ScreenActivity) -> HTML {
      HTML(text: (state.near.items + state.far.items).joined(separator: ", "))
    }
    func slots(of state: Places.State) -> [String: HTML] {
      ["found": HTML(text: "\(state.near.items.count + state.far.items.count)")]
    }
  }

  @Test func `two screens share a page`() async throws {
    @Sendable func frame(_ live: LiveDocument) -> HTML {
      HTML(
        trusted: """
          \(live.head.text)<b data-live-slot="found">\(live.slots["found"]?.text ?? "")</b>
          \(live.content.text)
          """)
    }
    let router = Router()
    let inspector = LiveInspector()
    router.add(inspector)
    router.add(PlacesPage(), inspector: inspector) { live in frame(live) }
    try await Application(router: router, server: .live()).test(.live) { client in
      let response = try await client.execute(uri: "/places?near=tern&far=curlew", method: .get)
      #expect(response.text.contains(#"<b data-live-slot="found">2</b>"#))
      #expect(response.text.contains("Arctic tern, Eurasian curlew"))
      #expect(response.text.contains("data-live-inspector"))
    }
  }
}

// MARK: Visitors

extension LiveDocumentationTests {
  struct Keeper: Equatable, Sendable {
    let name: String
    var mayPick = true
  }

  struct AviaryPage: LivePage {
    typealias Visitor = Keeper
    let path = "/aviary"
    var screen: Search<String> { Search { _ in [] } }
    func screen(for keeper: Keeper) -> Search<String> {
      Search { text in try await birds(of: keeper.name, named: text) }
    }
    func event(for action: LiveAction, by keeper: Keeper) -> Search<String>.Event? {
      keeper.mayPick ? event(for: action) : nil
    }
    // The rest is as in a page for anyone.
    func events(for query: LiveQuery, in state: Search<String>.State) -> [Search<String>.Event] {
      [.term(query["q"] ?? ""), .submit]
    }
    func event(for action: LiveAction) -> Search<String>.Event? { .term(action.value) }
    func address(of state: Search<String>.State) -> LiveAddress { LiveAddress(["q": state.query]) }
    func title(of state: Search<String>.State) -> String { "Aviary" }
    func render(_ state: Search<String>.State, _ activity: ScreenActivity) -> HTML {
      HTML(text: state.items.joined(separator: ", "))
    }
  }

  @Test func `a page knows its visitor`() async throws {
    @Sendable func document(_ live: LiveDocument) -> HTML { live.content }
    let router = Router()
    let keepers = LiveVisitors<Keeper, BasicRequestContext>(id: \.name) { request, _ in
      guard let keeper = await keeper(with: request.headers[.cookie]) else {
        throw LiveRefusal.signIn(at: "/sign-in")
      }
      return keeper
    }
    router.add(AviaryPage(), visitors: keepers) { live in document(live) }
    router.get("sign-in") { request, _ in
      let address = keepers.address(returningTo: LiveQuery(request.uri.query ?? "")["return"])
      return address
    }
    try await Application(router: router).test(.router) { client in
      let refused = try await client.execute(uri: "/aviary?q=x", method: .get)
      let place = try #require(refused.headers[.location])
      #expect(try await client.execute(uri: place, method: .get).text == "/aviary?q=x")
      let own = try await client.execute(
        uri: "/aviary?q=curlew", method: .get, headers: [.cookie: "keeper=ada"])
      #expect(own.text.contains("ada’s curlew"))
    }
  }
}

private func birds(of keeper: String, named text: String) async throws -> [String] {
  ["\(keeper)’s \(text)"]
}

private func keeper(with cookie: String?) async -> LiveDocumentationTests.Keeper? {
  cookie.map { .init(name: String($0.trimmingPrefix("keeper="))) }
}

private func birds(named text: String) async throws -> [String] {
  ["Eurasian curlew", "Arctic tern"].filter { $0.contains(text) }
}
