import CurlewLive
import CurlewScreens
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// The code of `CurlewLive.md`.
@Suite(.timeLimit(.minutes(1)))
struct LiveDocumentationTests {
  struct BirdsPage: LivePage {
    let path = "/birds"
    let screen = Search<String> { text in try await birds(named: text) }
    let template: HTMLTemplate<BirdsView>
    let row: HTMLTemplate<BirdRow>

    func events(for query: LiveQuery, in state: Search<String>.State) -> [Search<String>.Event] {
      [.term(query["q"] ?? ""), .submit]
    }
    func event(for action: LiveAction) -> Search<String>.Event? {
      action.name == "term" ? .term(action.value) : action.name == "submit" ? .submit : nil
    }
    func address(of state: Search<String>.State) -> LiveAddress {
      LiveAddress(["q": state.query.isEmpty ? nil : state.query], isHistoryEntry: !state.isLoading)
    }
    func title(of state: Search<String>.State) -> String { "Birds \(state.query)" }
    func render(_ state: Search<String>.State) -> HTML {
      let rows = LivePiece("birds", rows: state.items, key: \.self) { [row] bird in
        row(BirdRow(name: bird))
      }
      return template(BirdsView(text: state.text, birds: rows))
    }
  }

  struct BirdsView: TemplateValues {
    let text: String
    let birds: LivePiece
    static let names: TemplateNames<Self> = ["text": \.text, "birds": \.birds]
  }

  struct BirdRow: TemplateValues {
    let name: String
    static let names: TemplateNames<Self> = ["name": \.name]
  }

  struct Bird: Equatable { let name: String }

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

  @Test func `the first page is served`() async throws {
    let markup = """
      <form id="search" data-live-submit="submit"><input name="q" value="{{text}}" data-live-input="term"></form>
      <ul id="birds">{{{birds}}}</ul>
      """
    let bird = """
      <li data-key="{{name}}">{{name}}</li>
      """
    let frame = """
      <!doctype html><html lang="en"><head><title>{{title}}</title>{{{head}}}</head>
      <body>{{{content}}}</body></html>
      """
    let page = try BirdsPage(template: HTMLTemplate(markup), row: HTMLTemplate(bird))
    let document = try HTMLTemplate<LiveDocument>(frame)
    let router = Router()
    router.add(LiveAsset.script)
    router.add(page) { live in document(live) }
    let application = Application(router: router, server: .live())
    let css = Array("li { color: teal }".utf8)
    let styles = LiveAsset(named: "birds.css", bytes: css, contentType: "text/css; charset=utf-8")
    router.add(styles)

    try await application.test(.live) { client in
      let response = try await client.execute(uri: "/birds?q=curlew&x=%3Cb%3E", method: .get)
      let script = try await client.execute(uri: LiveAsset.script.path, method: .get)

      #expect(response.status == .ok && script.status == .ok)
      #expect(response.text.contains("<title>Birds curlew</title>"))
      #expect(response.text.contains(#"value="curlew""#))
      #expect(response.text.contains(#"<li data-key="Eurasian curlew">Eurasian curlew</li>"#))
      #expect(response.text.contains(LiveAsset.script.path))
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
    func render(_ state: FormScreen<Account, Int>.State) -> HTML {
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
      let refused = try await send("live%3Asubmit=create&name=&key=k")
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
    func render(_ state: Places.State) -> HTML {
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

private func birds(named text: String) async throws -> [String] {
  ["Eurasian curlew", "Arctic tern"].filter { $0.contains(text) }
}
