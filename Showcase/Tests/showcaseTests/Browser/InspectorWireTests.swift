import Testing

extension BrowserTests {
  /// The inspector's display of network messages and of changes in the page.
  @Suite struct InspectorWireTests {
    private static let drawer =
      "document.querySelector('aside[aria-label=Inspector]')?.shadowRoot?.querySelector('.drawer:not([hidden])')"

    private func open(_ path: String) async throws {
      try await site.openLive(path)
      try await browser.click("[data-live-inspect]")
      try await eventually("the drawer is open") {
        try await browser.evaluate("Boolean(\(Self.drawer))")
      }
    }

    /// Returns the texts of elements in the drawer.
    private func texts(_ selector: String) async throws -> [String] {
      try await browser.evaluate(
        "[...\(Self.drawer).querySelectorAll('\(selector)')].map((element) => element.textContent)")
    }

    @Test(.site) func `the wire has each patch and each request`() async throws {
      try await open("/issues")
      try await browser.type("apple/cups", into: "#q")
      try await eventually("both are there") {
        let kinds = Set(try await texts(".wire b"))
        return kinds == ["patch", "request"]
      }
      let codes = try await texts(".wire code")
      #expect(codes.contains { $0.hasPrefix("curl ") && $0.contains("/repos/apple/cups") })
      try await eventually("the patch with the results") {
        try await texts(".wire code").contains {
          $0.hasPrefix("event: state\ndata: {") && $0.contains("apple/cups 21")
        }
      }
      #expect(try await !browser.evaluate("\(Self.drawer).querySelector('.timeline').hidden"))
      try await browser.run("\(Self.drawer).querySelector('[aria-pressed]').click()")
      #expect(try await browser.evaluate("\(Self.drawer).querySelector('.timeline').hidden"))
    }

    @Test(.site) func `what a patch has changed is shown in the page`() async throws {
      try await open("/issues?q=apple/cups")
      try await site.waitFor("#issues .row")
      try await browser.run(
        """
        window.shown = [];
        const layer = document.querySelector("aside[aria-label=Inspector]").shadowRoot.querySelector(".changes");
        new MutationObserver((records) => {
          for (const { addedNodes } of records) {
            for (const box of addedNodes) shown.push(box.getBoundingClientRect().toJSON());
          }
        }).observe(layer, { childList: true });
        """)
      try await browser.run("document.querySelector('#issues .title').click()")
      try await eventually("it is shown") { try await browser.evaluate("shown.length > 0") }
      // The panel is highlighted, but not the page around it.
      let shares: [Double] = try await browser.evaluate(
        "shown.map(({ width, height }) => width * height / (innerWidth * document.body.scrollHeight))"
      )
      #expect(shares.allSatisfy { $0 < 0.5 })
      try await eventually("it goes") {
        try await browser.evaluate(
          "!document.querySelector('aside[aria-label=Inspector]').shadowRoot.querySelector('.change')"
        )
      }
    }

    @Test(.site) func `states stand under the event that caused them`() async throws {
      try await open("/dogs")
      try await browser.type("great", into: "#q")
      try await eventually("the search has finished") {
        try await texts(".is-work.is-finished .say").count == 1
      }
      try await eventually("they have their causes") {
        let kinds: [String] = try await browser.evaluate(
          """
          [...\(Self.drawer).querySelectorAll(".row:not(.is-gap)")].map((row) =>
            [...row.classList].find((name) => ["is-event", "is-work", "is-request", "is-state"].includes(name)))
          """)
        guard let event = kinds.firstIndex(of: "is-event"),
          let work = kinds.lastIndex(of: "is-work"), event < work
        else { return false }
        return kinds[event + 1] == "is-state" && kinds[work...].contains("is-state")
      }
    }
  }
}
