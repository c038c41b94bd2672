import CurlewLive
import CurlewScreens
import Testing

extension BrowserTests {
  /// Tabs whose server is replaced by a newer version.
  @Suite struct VersionTests {
    /// A page with a text and a version.
    private struct TextPage: LivePage {
      struct Content: Screen {
        let initial = ""
        func handle(_ event: String, _ state: inout String, _ work: inout Work<String>) {
          state = event
        }
      }

      let version: String
      let screen = Content()
      var path: String { "/text" }

      // The address doesn't contain the text.
      func events(for query: LiveQuery, in state: String) -> [String] { [] }
      func event(for action: LiveAction) -> String? { action.value }
      func address(of state: String) -> LiveAddress { LiveAddress() }
      func title(of state: String) -> String { "\(version): \(state)" }
      func render(_ state: String, _ activity: ScreenActivity) -> HTML {
        // Only letters are typed, so no escaping is needed.
        HTML(
          trusted: """
            <p id="field"><input id="q" value="\(state)" data-live-input="text"></p>
            <p id="version">\(version)</p><p id="text">\(state)</p>
            """)
      }
    }

    @Test func `another version is loaded and the text is kept`() async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await browsers.withBrowser(Browser.Options()) { browser in
        let (ports, port) = AsyncStream<Int>.makeStream()
        try await serve(TextPage(version: "one")) { number in
          try await browser.open("http://127.0.0.1:\(number)/text")
          try await eventually("it is live") { try await browser.has("[data-live-ready]") }
          try await browser.type("curlew", into: "#q")
          try await eventually("it is written") { try await browser.text("#text") == "curlew" }
          port.yield(number)
        }
        let number = try #require(await ports.first { _ in true })
        // Includes a third version, because a tab must switch from any version, not only from the
        // first.
        for version in ["two", "three"] {
          try await serve(TextPage(version: version), port: number) { _ in
            try await eventually("the new version is shown") {
              try await browser.text("#version") == version
            }
            try await eventually("the text is there") {
              try await browser.text("#text") == "curlew"
            }
            #expect(try await browser.value("#q") == "curlew")
          }
        }
      }
    }
  }
}
