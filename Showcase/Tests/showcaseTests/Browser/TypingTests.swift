import CurlewTesting
import Sandbox
import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// The clock advances only after all keys have arrived.
  @Suite struct TypingTests {
    @Test(.site(sandbox: .init { $0.latency = .seconds(2) }, isTimed: true))
    func `typing shows loading then issues of one search`() async throws {
      try await site.openLive()
      try await site.record()
      try await browser.type("apple/swift", into: "#q")
      try await site.waitForText("apple/swift")
      try await site.waitForIssues(of: "apple/swift", passing: clock)

      // One search for eleven keys, as the sandbox's log shows.
      #expect(site.requests == ["/repos/apple/swift", "/repos/apple/swift/issues"])
      let moments = try await site.recorded()
      let loading = try #require(moments.firstIndex { $0.isLoading })
      let content = try #require(moments.firstIndex { $0.rows > 80 })
      #expect(loading < content)
      #expect(moments[loading].status == "Looking for apple/swift…")
      #expect(moments.allSatisfy { !($0.isLoading && $0.isFailure) })
      #expect(moments.last?.isLoading == false)
    }

    @Test(.site) func `what an input method composes is not searched`() async throws {
      try await site.openLive("/dogs")
      try await browser.click("#q")
      try await browser.run(
        """
        window.bodies = [];
        const { fetch } = window;
        window.fetch = (url, init) => {
          if (init?.body) bodies.push(JSON.parse(init.body).value);
          return fetch(url, init);
        };
        """)
      struct Composition: Encodable {
        let text: String
        let selectionStart: Int
        let selectionEnd: Int
      }
      for text in ["t", "ti", "tie", "tiê", "tiế", "tiến", "tiếng"] {
        try await browser.devTools(
          "Input.imeSetComposition",
          Composition(text: text, selectionStart: text.count, selectionEnd: text.count))
      }
      try await browser.devTools("Input.insertText", ["text": "tiếng"])
      try await site.waitFor("#empty")
      #expect(try await browser.value("#q") == "tiếng")
      let bodies: [String] = try await browser.evaluate("bodies")
      #expect(Set(bodies) == ["tiếng"])
    }

    @Test(.site(sandbox: .init { $0.latency = .seconds(2) }, isTimed: true))
    func `the caret stays in the middle while states arrive`() async throws {
      try await site.openLive("/issues?q=apple/swift", passing: clock)
      try await site.waitForIssues(of: "apple/swift", passing: clock)
      try await browser.click("#q")
      try await browser.run("document.querySelector('#q').setSelectionRange(7, 7)")
      try await browser.run("scrollTo(0, 400)")
      let scroll: Double = try await browser.evaluate("scrollY")
      try await site.record()
      // GitHub ignores case, so the list has the same length.
      try await browser.type(Key.backspace + "S")
      try await site.waitForText("apple/Swift")
      try await eventually("it has searched again", passing: clock) {
        let moments = try await site.recorded()
        return site.requests.count == 4 && moments.last?.isLoading == false
      }

      let moments = try await site.recorded()
      #expect(moments.contains { $0.isLoading && $0.rows > 80 }, "the old list stays")
      #expect(moments.allSatisfy { $0.focus == "q" })
      #expect(moments.allSatisfy { [6, 7].contains($0.caret) })
      #expect(moments.allSatisfy { $0.scroll == scroll }, "\(moments.map(\.scroll))")
      #expect(moments.last?.value == "apple/Swift")
      #expect(moments.last?.caret == 7)
      #expect(scroll == 400)
    }
  }
}
