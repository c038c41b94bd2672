import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import HTTPTypes
import Hummingbird
import Synchronization
import TestSupport
import Testing

/// Pages as a user sees them, with and without JavaScript.
@Suite(.timeLimit(.minutes(1)))
struct PageProbeTests {
  let clock = TestClock(executor: TestExecutor())

  func router(_ dogs: Dogs = Dogs(), key: SigningKey = .random()) -> Router<BasicRequestContext> {
    let router = Router()
    func add<Page: LivePage>(_ page: Page) where Page.Visitor == Anyone {
      router.add(page, clock: clock, key: key) { live in
        HTML(
          trusted: """
            <!doctype html><html><head><title>\(live.title)</title>\(live.head.text)</head><body>\
            <i data-live-slot="count">\(live.slots["count"]?.text ?? "")</i>\(live.content.text)</body></html>
            """)
      }
    }
    add(DogsPage(screen: dogs))
    add(AddedPage())
    return router
  }

  @Test(arguments: [true, false]) func `a form finds rows`(javaScript: Bool) async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock, javaScript: javaScript)
    #expect(page.rows == ["Akita Like", "Beagle Like", "Briard Like"])
    #expect(page.title == "Dogs" && page.status == .ok)
    try await page.type("Search", "b")
    try await page.choose("Order", "Z to A")
    try await page.click("Find")
    try await page.advance(by: .milliseconds(500))
    #expect(page.rows == ["Briard Like", "Beagle Like"])
    #expect(page.address == "/dogs?q=b&sort=reverse" && page.title == "b · Dogs")
    #expect(page.fields["Search"] == "b" && page.fields["Order"] == "Z to A")
    #expect(page.document.has("#plain") == !javaScript)
  }

  @Test func `typed text is searched after the quiet time`() async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    try await page.type("Search", "ak")
    #expect(page.rows.count == 3 && page.fields["Search"] == "ak")
    try await page.advance(by: .milliseconds(499))
    #expect(page.rows.count == 3)
    try await page.advance(by: .milliseconds(1))
    #expect(page.rows == ["Akita Like"])
    #expect(page.announcements == ["1 dogs"])
  }

  @Test func `links lead on and the back button returns`() async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    try await page.choose("Order", "Z to A")
    try await page.click("Akita")
    #expect(page.address == "/added?name=Akita" && page.document.text("h1") == "Akita")
    #expect(page.announcements == ["Added"])
    try await page.back()
    #expect(page.address == "/dogs?sort=reverse" && page.rows.first == "Briard Like")
    try await page.back()
    #expect(page.address == "/dogs" && page.rows.first == "Akita Like")
    #expect(page.fields["Order"] == "A to Z")
  }

  @Test func `an address that the page changes is one history entry`() async throws {
    let page = try await PageProbe(router(), "/dogs?unknown=1", clock: clock)
    #expect(page.address == "/dogs")
    try await page.click("Akita")
    try await page.visit("/dogs?sort=reverse&unknown=1")
    #expect(page.address == "/dogs?sort=reverse")
    try await page.back()
    #expect(page.address == "/added?name=Akita")
    try await page.back()
    #expect(page.address == "/dogs" && page.rows.first == "Akita Like")
  }

  @Test(arguments: [true, false]) func `a form leads on or shows why not`(javaScript: Bool)
    async throws
  {
    let page = try await PageProbe(router(), "/dogs", clock: clock, javaScript: javaScript)
    try await page.click("Add")
    #expect(page.document.text("#problem") == "A dog needs a name.")
    #expect(page.announcements == (javaScript ? ["A dog needs a name."] : []))
    try await page.type("Name", "Rex&Co")
    try await page.choose("Kind", "Small")
    try await page.submit(.selector("#add"))
    #expect(page.title == "Added" && page.document.text("h1") == "Rex&Co small")
  }

  /// The state that no address has is restored only by a server with the same key.
  @Test(arguments: [true, false]) func `a restart keeps text and signed state`(isSameKey: Bool)
    async throws
  {
    let key = SigningKey.random()
    let page = try await PageProbe(router(key: key), "/dogs", clock: clock)
    try await page.click(.name("Like", in: "[data-key=Akita]"))
    #expect(
      page.rows.first == "Akita Unlike" && page.document.text("[data-live-slot]") == "1 liked")
    page.disconnect()
    try await page.type("Search", "a")
    try await page.click(.name("Like", in: "[data-key=Briard]"))
    #expect(page.rows.last == "Briard Like", "nothing arrives")
    await #expect(throws: PageFailure.offline(address: "/added?name=Akita")) {
      try await page.click("Akita")
    }
    try await page.restart(router(key: isSameKey ? key : .random()))
    try await page.advance(by: .milliseconds(500))
    #expect(page.fields["Search"] == "a" && page.address == "/dogs?q=a")
    #expect(
      page.rows == [isSameKey ? "Akita Unlike" : "Akita Like", "Beagle Like", "Briard Unlike"])
  }

  @Test func `actions wait for the connection in order`() async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    page.disconnect()
    for _ in 0..<3 { try await page.click(.name("Like", in: "[data-key=Beagle]")) }
    try await page.click("Details")
    #expect(page.fields["Details"] == "on" && page.rows[1] == "Beagle Like")
    try await page.reconnect()
    #expect(page.rows[1] == "Beagle Unlike", "three times")
    // The session ends, and another one begins.
    page.disconnect()
    try await page.advance(by: .seconds(200))
    try await page.reconnect()
    #expect(page.rows[1] == "Beagle Unlike" && page.fields["Details"] == "on")
  }

  /// The updates lead to the same elements as the markup of the state.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `updates show what the state is`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    let probe = ScreenProbe(Dogs())
    for event in DogsPage().events(for: [:], in: probe.state) { probe.send(event) }
    for _ in 0..<15 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let text = ["", "a", "ak", "br", "e"].randomElement(using: &random) ?? ""
        try await page.type("Search", text)
        probe.send(.term(text))
      case 1:
        let (name, order) = Bool.random(using: &random) ? ("A to Z", "name") : ("Z to A", "reverse")
        try await page.choose("Order", name)
        probe.send(.sort(order))
      case 2:
        guard let name = probe.state.dogs.randomElement(using: &random) else { continue }
        try await page.click(.selector("[data-key='\(name)'] button"))
        probe.send(.like(name))
      case 3:
        try await page.scroll(to: "#more")
        probe.send(.more)
      default:
        let time = Duration.milliseconds(Int.random(in: 1...600, using: &random))
        try await page.advance(by: time)
        probe.advance(by: time)
      }
      let state = DogsPage().render(probe.state, probe.activity).text
      let shown = page.document.matching("#live")[0]
      #expect(parts(of: shown) == parts(of: PageElement(state, scripts: true)))
    }
  }

  private func parts(of element: PageElement) -> [String] {
    element.descendants.map { "\($0.name) \($0.attributes.sorted { $0.key < $1.key }) \($0.text)" }
  }

  @Test func `a mistake is an error that lists what is there`() async throws {
    let page = try await PageProbe(router(), "/dogs", clock: clock)
    let missing = await #expect(throws: PageFailure.self) { try await page.click("Fnd") }
    let names = "Akita, Like, Beagle, Like, Briard, Like"
    #expect(
      "\(try #require(missing))".hasPrefix(
        "no button or link named 'Fnd'; there are: Find, Details, \(names)"))
    await #expect(throws: PageFailure.ambiguous(kind: "button or link", name: "Like", count: 3)) {
      try await page.click("Like")
    }
    await #expect(throws: PageFailure.disabled(name: "Remove")) { try await page.click("Remove") }
    let options = PageFailure.notFound(kind: "option", name: "Big", others: ["any", "Small"])
    await #expect(throws: options) { try await page.choose("Kind", "Big") }
  }

  @Test func `a slow document without JavaScript is reloaded in its session`() async throws {
    let gate = PendingResponses<String, [String]>()
    let dogs = Dogs { try await gate.next(for: $0) }
    let page = try await PageProbe(router(dogs), "/dogs?q=a", clock: clock, javaScript: false)
    #expect(page.document.text("#status") == "Searching…")
    gate.reply(.success(["Akita"]))
    try await page.advance(by: .seconds(2))
    #expect(page.rows == ["Akita Like"] && gate.requested == ["a"], "once, by the cookie")
  }

  @Test func `cookies are kept and other sites are not followed`() async throws {
    let router = Router()
    router.get("/in") { _, _ in
      Response(status: .seeOther, headers: [.location: "/me", .setCookie: "name=ada; HttpOnly"])
    }
    router.get("/me") { request, _ in
      "<body><a href=https://example.org>\(request.headers[.cookie] ?? "nobody")</a>"
    }
    let page = try await PageProbe(router, "/me")
    #expect(page.text == "nobody")
    try await page.visit("/in")
    #expect(page.text == "name=ada" && page.address == "/me")
    try await page.click("name=ada")
    #expect(page.address == "https://example.org" && page.text == "")
    try await page.visit("/nowhere")
    #expect(page.status == .notFound)
  }

  @Test func `a document whose stream is another users is loaded again once in 10 s`() async throws
  {
    let documents = Mutex(0)
    let visitors = LiveVisitors<String, BasicRequestContext>(id: \.self) { request, _ in
      if request.uri.path.hasSuffix("/live") { return "bo" }
      documents.withLock { $0 += 1 }
      return "ada"
    }
    let router = Router()
    router.add(DraftTests.ReportPage(), visitors: visitors, clock: clock) { $0.content }
    let page = try await PageProbe(router, "/report", clock: clock)
    #expect(documents.withLock { $0 } == 2)
    try await page.advance(by: .seconds(10))
    #expect(documents.withLock { $0 } == 3)
  }

  @Test func `markup is read as browsers do`() {
    let markup = """
      <!-- <b> --><ul><li>One<li class='a "b" c'>Two &lt;&#x41;&nbsp;&unknown;<ul><li>In</ul></ul>
      <p>A<p title="x > y">B<br>C<div hidden>D</div><textarea>
      <i></textarea><input disabled value=v><noscript><b>N</b></noscript>
      """
    let page = PageElement(markup, scripts: true)
    #expect(page.count("ul li") == 4 - 1 && page.count("li li") == 1 && page.has("li.a.c"))
    #expect(page.text("li.c") == "Two <A\u{A0}&unknown; In" && page.texts("p") == ["A", "B C"])
    #expect(page.attribute("title", of: "p[title]") == "x > y")
    #expect(page.text("textarea") == "<i>" && page.attribute("value", of: "input[disabled]") == "v")
    #expect(
      !page.has("b") && PageElement(markup).has("noscript b") && page.count("li:not(.c), br") == 3)
  }
}
