import CurlewLive
import CurlewScreens
import Testing

/// A page at `/text` whose markup is a function of a text; each action sets the text to its value.
struct TextPage: LivePage {
  struct Content: Screen {
    var initial = ""
    func handle(_ event: String, _ state: inout String, _ work: inout Work<String>) {
      state = event
    }
  }

  var screen = Content()
  let path = "/text"
  /// Returns the text for an action.
  var text: @Sendable (LiveAction) -> String = { $0.value }
  let markup: @Sendable (String) -> String

  func events(for query: LiveQuery, in state: String) -> [String] { [query["text"] ?? ""] }
  func event(for action: LiveAction) -> String? { text(action) }
  func address(of state: String) -> LiveAddress {
    LiveAddress(["text": state.isEmpty ? nil : state])
  }
  func title(of state: String) -> String { "Text" }
  func render(_ state: String, _ activity: ScreenActivity) -> HTML {
    HTML(
      trusted: """
        <h1 id="top" tabindex="-1" data-live-refocus>Text</h1>\
        <output id="text">\(HTML(text: state).text)</output>\
        <input id="set" hidden data-live-input="set">\(markup(state))
        """)
  }
}

/// Serves a page, opens it in a browser, and waits until it is live.
func withTextPage(
  _ markup: @escaping @Sendable (String) -> String,
  text: @escaping @Sendable (LiveAction) -> String = { $0.value },
  _ body: @escaping @Sendable (Browser) async throws -> Void
) async throws {
  let browsers = try #require(DrivenByChrome.browsers)
  try await serve(TextPage(text: text, markup: markup)) { port in
    try await browsers.withBrowser(Browser.Options()) { browser in
      try await browser.open("http://127.0.0.1:\(port)/text")
      try await eventually("the page is live") { try await browser.has("[data-live-ready]") }
      try await body(browser)
    }
  }
}

extension Browser {
  /// Sends a text without moving the focus, and waits until the page shows it.
  func set(_ text: String) async throws {
    try await run(
      """
      const field = document.querySelector("#set");
      field.value = arguments[0];
      field.dispatchEvent(new Event("input", { bubbles: true }));
      """, text)
    try await shows(text)
  }

  func shows(_ text: String) async throws {
    try await eventually("the page shows \(text.prefix(40))") {
      try await evaluate("document.querySelector('#text').textContent === arguments[0]", text)
    }
  }
}
