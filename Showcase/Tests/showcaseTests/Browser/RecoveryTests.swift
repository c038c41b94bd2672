import CurlewLive
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// What the user did is applied once, in order, and nothing typed is lost when a session ends, however the page
  /// reaches its server.
  @Suite struct RecoveryTests {
    enum Way: CaseIterable {
      case direct, http2, buffered
    }

    /// Runs a closure with a browser, an origin, and a port that serves at that origin.
    private func withWay(
      _ way: Way, _ body: (Browser, _ origin: String, _ port: Int) async throws -> Void
    ) async throws {
      let browsers = try #require(DrivenByChrome.browsers)
      try await browsers.withBrowser(Browser.Options()) { browser in
        let port = freePort()
        guard way != .direct else {
          return try await body(browser, "http://localhost:\(port)", port)
        }
        let proxy = try await NginxProxy(to: port, buffers: way == .buffered)
        do {
          try await body(browser, proxy.origin, port)
        } catch {
          await proxy.stop()
          throw error
        }
        await proxy.stop()
      }
    }

    private func open(_ page: TextsPage, in browser: Browser, at origin: String, _ way: Way)
      async throws
    {
      try await eventually("it is live") {
        try await browser.open(origin + page.path)
        return try await browser.has("[data-live-ready]")
      }
      guard way == .buffered else { return }
      try await eventually("nothing comes on the stream") {
        try await browser.has("[data-live-connection] i")
      }
    }

    private static let form = TextsPage(
      "/form",
      change: { action, state in
        switch action.name {
        case "upper": state["upper"] = action.value.uppercased()
        case "fill": state["filled"] = "Example Street 1"
        case "agree": state["agree"] = state["agree"] == nil ? "checked" : nil
        default: state[action.name] = action.value
        }
      }
    ) { state in
      func input(_ name: String) -> String {
        "<p><input id=\"\(name)\" data-live-input=\"\(name)\" value=\"\(state[name] ?? "")\"></p>"
      }
      let known = ["first", "upper", "note", "filled", "size", "plan", "agree"].map {
        state[$0] ?? ""
      }
      let plans = ["a", "b"].map { plan in
        """
        <input type="radio" id="plan-\(plan)" name="plan" value="\(plan)" data-live-input="plan"\
        \(state["plan"] == plan ? " checked" : "")>
        """
      }
      return """
        \(input("first"))\(input("upper"))\(input("filled"))
        <p><textarea id="note" data-live-input="note">
        \(state["note"] ?? "")</textarea></p>
        <p><select id="size" data-live-input="size"><option value="s">s</option>
        <option value="l"\(state["size"] == "l" ? " selected" : "")>l</option></select></p>
        <p>\(plans.joined())</p>
        <p><input type="checkbox" id="agree" data-live-input="agree" \(state["agree"] ?? "")></p>
        <p><button id="fill" data-live-click="fill">Fill</button></p>
        <pre id="known">\(known.joined(separator: "|"))</pre>
        """
    }

    @Test(
      .serialized, .enabled(if: NginxProcess.isExpected, "nginx is not installed"),
      arguments: Way.allCases)
    func `text in fields survives the end of the session`(way: Way) async throws {
      try await withWay(way) { browser, origin, port in
        let known = "document.querySelector('#known').textContent"
        let all = "Jane |ABC|one\ntwo\n|Example Street 1|l|b|checked"
        try await serve(Self.form, port: port) { _ in
          try await open(Self.form, in: browser, at: origin, way)
          try await browser.type("Jane ", into: "#first")
          try await browser.type("abc", into: "#upper")
          try await browser.type("one\ntwo\n", into: "#note")
          try await browser.run("document.querySelector('#size').focus()")
          try await browser.type("l")
          for id in ["#plan-b", "#agree", "#fill"] { try await browser.click(id) }
          try await eventually("the server has it") { try await browser.evaluate(known) == all }
          try await eventually("its format is shown") {
            try await browser.value("#upper") == "ABC"
          }
          try await browser.run("document.querySelector('#known').textContent = 'old'")
        }
        try await serve(Self.form, port: port) { _ in
          // A page without a stream is reloaded, and some browsers restore choices late or not at all.
          let texts = "Jane |ABC|one\ntwo\n|Example Street 1|"
          try await eventually("the new server has it") {
            let text: String = try await browser.evaluate(known)
            return way == .buffered ? text.hasPrefix(texts) : text == all
          }
          let shown: [String] = try await browser.evaluate(
            "['first', 'upper', 'note', 'filled'].map((id) => document.getElementById(id).value)")
          #expect(shown == ["Jane ", "ABC", "one\ntwo\n", "Example Street 1"])
          guard way != .buffered else { return }
          #expect(try await browser.value("#size") == "l")
          #expect(try await browser.has("#plan-b:checked"))
          #expect(try await browser.has("#agree:checked"))
        }
      }
    }

    /// Shows the texts of the actions in their order, and their number.
    private static let log = TextsPage(
      "/log",
      change: { action, state in
        state["text"] = action.name == "text" ? action.value : state["text"]
        guard action.name == "add" else { return }
        state["log", default: ""] += (state["text"] ?? "-") + action.value
      }
    ) { state in
      """
      <p><input id="text" data-live-input="text" value="\(state["text"] ?? "")"></p>
      <p><button id="add" data-live-click="add" data-live-value="+">Add</button>
      <button id="take" data-live-click="add" data-live-value="-">Take</button></p>
      <p id="log">\(state["log"] ?? "")</p>
      """
    }

    @Test(
      .serialized, .enabled(if: NginxProcess.isExpected, "nginx is not installed"),
      arguments: Way.allCases)
    func `each click counts once and in order`(way: Way) async throws {
      try await withWay(way) { browser, origin, port in
        @Sendable func click(_ ids: String) async throws {
          try await browser.run(
            "for (const id of arguments[0].split(' ')) document.getElementById(id).click()", ids)
        }
        try await serve(Self.log, port: port) { _ in
          try await open(Self.log, in: browser, at: origin, way)
          // Each action is delayed, so that the others wait.
          try await browser.run(
            """
            const send = window.fetch;
            window.fetch = async (url, options) => {
              if (String(url).endsWith("/events")) await new Promise((go) => setTimeout(go, 150));
              return send(url, options);
            };
            """)
          try await click("add add add add add take add take add")
          try await eventually("all are counted") {
            try await browser.text("#log") == "-+-+-+-+-+---+---+"
          }
          try await browser.type("x", into: "#text")
          try await eventually("the text is known") {
            try await browser.attribute("value", of: "#text") == "x"
          }
        }
        // Without a server. The new session has the text first.
        try await click("add add take")
        try await eventually("it is said") { try await browser.has("[data-live-lost]") }
        try await click("add")
        try await serve(Self.log, port: port) { _ in
          try await eventually("all are applied to the new session") {
            try await browser.text("#log") == "x+x+x-x+"
          }
          try await click("take")
          try await eventually("and the next") {
            try await browser.text("#log") == "x+x+x-x+x-"
          }
        }
      }
    }
  }
}
