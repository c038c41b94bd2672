import CurlewLive
import CurlewScreens
import Testing

extension BrowserTests {
  /// Hooks of a page's own scripts.
  @Suite struct HookTests {
    /// Shows a number in an element with a hook, unless it is negative.
    private struct NumberPage: LivePage {
      struct Content: Screen {
        let initial = 0
        func handle(_ event: Int, _ state: inout Int, _ work: inout Work<Int>) { state = event }
      }

      let screen = Content()
      let path = "/number"

      func events(for query: LiveQuery, in state: Int) -> [Int] { [] }
      func event(for action: LiveAction) -> Int? { Int(action.value) }
      func address(of state: Int) -> LiveAddress { LiveAddress() }
      func title(of state: Int) -> String { "\(state)" }
      func render(_ state: Int, _ activity: ScreenActivity) -> HTML {
        let element =
          """
          <p id="hooked" data-live-hook="number" data-number="\(state)">\(state)</p>
          <div id="drawn" data-live-hook="drawing" data-live-ignore data-number="\(state)"></div>
          """
        let buttons = (-1...2).map { number in
          """
          <button id="to\(number + 1)" data-live-click="go" data-live-value="\(number)">\(number)</button>
          """
        }
        return HTML(
          trusted: "<h1>Number</h1>\(state < 0 ? "" : element)<p id='other'>\(state)</p>"
            + buttons.joined())
      }
    }

    @Test func `hooks are called when an element appears changes and goes`() async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await browsers.withBrowser(Browser.Options()) { browser in
        try await serve(NumberPage()) { port in
          try await browser.open("http://127.0.0.1:\(port)/number")
          try await eventually("it is live") { try await browser.has("[data-live-ready]") }
          try await browser.run(
            """
            window.calls = [];
            const note = (step) => (element) => calls.push(`${step} ${element.dataset.number}`);
            Live.hook("number", {
              appear: note("appear"), change: note("change"), leave: note("leave") });
            Live.hook("drawing", {
              appear(element, page) {
                element.className = "drawn";
                element.append(Object.assign(document.createElement("b"), { textContent: "mine" }));
                element.onclick = () => page.send("go", 2);
                throw new Error("A hook's error is its own.");
              },
            });
            """)
          let calls: () async throws -> [String] = { try await browser.evaluate("calls") }
          #expect(try await calls() == ["appear 0"], "it was there before")
          func go(to number: Int) async throws {
            try await browser.click("#to\(number + 1)")
            try await eventually("\(number) is shown") {
              try await browser.text("#other") == "\(number)"
            }
          }
          try await go(to: 1)
          #expect(try await calls().last == "change 1")
          #expect(try await browser.text("#drawn b") == "mine", "its content is the script's")
          #expect(try await browser.attribute("class", of: "#drawn") == "drawn")
          #expect(try await browser.attribute("data-number", of: "#drawn") == "1")
          try await go(to: -1)
          #expect(try await calls() == ["appear 0", "change 1", "leave 1"])
          try await go(to: 0)
          #expect(try await calls().last == "appear 0")
          try await browser.click("#drawn")
          try await eventually("the hook's action arrives") {
            try await browser.text("#other") == "2"
          }
          #expect(try await calls().count == 5)
        }
      }
    }
  }
}
