import CurlewLive
import CurlewScreens
import Hummingbird
import Testing

/// A page whose state is a dictionary of texts that are in no address; an action sets the text of its name.
struct TextsPage: LivePage {
  typealias Texts = [String: String]

  struct Content: Screen {
    let initial: Texts
    let change: @Sendable (LiveAction, inout Texts) -> Void

    func handle(_ action: LiveAction, _ state: inout Texts, _ work: inout Work<Texts>) {
      change(action, &state)
    }
  }

  let path: String
  let screen: Content
  let markup: @Sendable (Texts) -> String

  /// - Parameters:
  ///   - change: Applies an action to the state.
  ///   - markup: Returns the markup of a state, whose texts are escaped.
  init(
    _ path: String, _ initial: Texts = [:],
    change: @escaping @Sendable (LiveAction, inout Texts) -> Void = { $1[$0.name] = $0.value },
    markup: @escaping @Sendable (Texts) -> String
  ) {
    self.path = path
    screen = Content(initial: initial, change: change)
    self.markup = markup
  }

  func events(for query: LiveQuery, in state: Texts) -> [LiveAction] { [] }
  func event(for action: LiveAction) -> LiveAction? { action }
  func address(of state: Texts) -> LiveAddress { LiveAddress() }
  func title(of state: Texts) -> String { path }
  func render(_ state: Texts, _ activity: ScreenActivity) -> HTML {
    HTML(trusted: markup(state.mapValues { HTML(text: $0).text }))
  }
}

/// Runs a closure with a browser that shows a page, and with the page's origin.
///
/// - Parameter prepare: Adds routes to those of the page.
func withPage(
  _ page: TextsPage, prepare: @escaping @Sendable (Router<BasicRequestContext>) -> Void = { _ in },
  _ body: @escaping @Sendable (Browser, _ origin: String) async throws -> Void
) async throws {
  let browsers = try #require(DrivenByChrome.browsers)
  try await browsers.withBrowser(Browser.Options()) { browser in
    try await serve(page, prepare: prepare) { port in
      let origin = "http://127.0.0.1:\(port)"
      try await browser.open(origin + page.path)
      try await eventually("it is live") { try await browser.has("[data-live-ready]") }
      try await body(browser, origin)
    }
  }
}
