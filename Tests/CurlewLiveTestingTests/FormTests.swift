import CurlewLive
import CurlewLiveTesting
import CurlewScreens
import CurlewTesting
import Hummingbird
import Testing

/// Forms and fields do what they do in Chromium.
@Suite(.timeLimit(.minutes(1)))
struct FormTests {
  /// Opens a page whose forms lead to `/sent`.
  func page(_ body: String) async throws -> PageProbe {
    let router = Router()
    router.get("/") { _, _ in "<body>\(body)</body>" }
    router.get("/sent") { request, _ in request.uri.query ?? "" }
    return try await PageProbe(router, "/")
  }

  let search =
    "<form id=search action=/sent><input name=q aria-label=Search><button>Find</button></form>"
  let add =
    "<form id=add action=/sent><input id=text name=text><button name=by value=b>Add</button></form>"
  let loose = "<input id=loose aria-label=Loose>"

  @Test func `Enter submits the form of the field with the focus`() async throws {
    let page = try await page(search + add + loose)
    await #expect(throws: PageFailure.ambiguous(kind: "form", name: "#search, #add", count: 2)) {
      try await page.submit()
    }
    try await page.type(.selector("#text"), "kiwi")
    try await page.submit()
    #expect(page.address == "/sent?text=kiwi&by=b")
    try await page.visit("/")
    try await page.type("Loose", "weka")
    let outside = PageFailure.notFound(
      kind: "form around the element", name: "Loose", others: ["#search", "#add"])
    await #expect(throws: outside) { try await page.submit() }
  }

  @Test func `the only form is submitted`() async throws {
    let page = try await page(add)
    try await page.submit()
    #expect(page.address == "/sent?text=&by=b")
    try await page.visit("/sent")
    await #expect(throws: PageFailure.notFound(kind: "form", name: "", others: [])) {
      try await page.submit()
    }
  }

  @Test(arguments: ["#add", "#text", "#add button"])
  func `an element of a form means the form`(selector: String) async throws {
    let page = try await page(search + add + loose)
    try await page.submit(.selector(selector))
    #expect(page.address == "/sent?text=&by=b")
    try await page.visit("/")
    await #expect(throws: PageFailure.self) { try await page.submit(.selector("#loose")) }
  }

  @Test func `the content of a template is not shown`() async throws {
    let page = try await page(
      "A<template><p data-key=b>B</p></template><script>C</script><style>D</style>"
        + "<noscript>E</noscript>")
    #expect(page.text == "A" && page.rows == [])
  }

  @Test func `a field takes no more text than it can`() async throws {
    let page = try await page(
      """
      <input name=short aria-label=Short maxlength=3><textarea aria-label=Long maxlength=2></textarea>
      <input name=fixed aria-label=Fixed readonly value=v><input id=off disabled aria-label=Off>
      """)
    try await page.type("Short", "kiwi")
    try await page.type("Long", "a😀")
    #expect(page.fields["Short"] == "kiw" && page.fields["Long"] == "a")
    for field in [Locator.name("Fixed"), .name("Off"), .selector("#off")] {
      await #expect(throws: PageFailure.self) { try await page.type(field, "x") }
    }
    #expect(page.fields["Fixed"] == "v")
    #expect(page.fields["Off"] == "")
  }

  struct Notes: Screen {
    var initial: [String] { [] }
    func handle(_ event: String, _ state: inout [String], _ work: inout Work<[String]>) {
      state.append(event)
    }
  }

  struct NotesPage: LivePage {
    let screen = Notes()
    let path = "/notes"
    let key: String
    func events(for query: LiveQuery, in state: [String]) -> [String] { [] }
    func event(for action: LiveAction) -> String? {
      "\(action.fields["author"] ?? "") \(action.fields["note"] ?? "")"
    }
    func address(of state: [String]) -> LiveAddress { LiveAddress() }
    func title(of state: [String]) -> String { "Notes" }
    func render(_ state: [String], _ activity: ScreenActivity) -> HTML {
      HTML(
        trusted: """
          <form id="add" data-live-submit="add"><p id="by"><input aria-label="Author" name="author"></p>\
          <p \(key)="entry\(state.count)"><input aria-label="Note" name="note"></p><button>Add</button></form>\
          <ul id="rows">\(state.indices.map { "<li data-key=\"\($0)\">\(state[$0])" }.joined())</ul>
          """)
    }
  }

  @Test(arguments: ["id", "data-key"])
  func `a text goes with the element in which it was typed`(key: String) async throws {
    let clock = TestClock(executor: TestExecutor())
    let router = Router()
    router.add(NotesPage(key: key), clock: clock) { $0.content }
    let page = try await PageProbe(router, "/notes", clock: clock)
    try await page.type("Author", "Ada")
    try await page.type("Note", "Kiwi")
    try await page.submit(.selector("#add"))
    #expect(page.fields["Author"] == "Ada" && page.fields["Note"] == "")
    try await page.submit(.selector("#add"))
    #expect(page.document.texts("#rows li") == ["Ada Kiwi", "Ada"])
  }
}
