import CurlewTesting
import Sandbox
import TestSupport
import Testing

extension BrowserTests {
  /// Time goes by when all keys have arrived, however long that takes.
  @Suite struct TypingTests {
    private let clock = TestClock()

    @Test func typingShowsLoadingThenIssuesOfOneSearch() async throws {
      try await withSite(sandbox: .init(latency: .seconds(10)), clock: clock) { site in
        try await site.openLive()
        try await site.record()
        try await site.browser.type("apple/swift", into: "#q")
        try await site.waitForText("apple/swift")
        try await site.waitForIssues(of: "apple/swift", passing: clock)

        // One search for eleven keys: the sandbox's own log is the proof.
        #expect(site.requests == ["/repos/apple/swift", "/repos/apple/swift/issues"])
        let moments = try await site.recorded()
        let loading = try #require(moments.firstIndex { $0.isLoading })
        let content = try #require(moments.firstIndex { $0.rows > 80 })
        #expect(loading < content)
        #expect(moments[loading].status == "Looking for apple/swift…")
        #expect(moments.allSatisfy { !($0.isLoading && $0.isFailure) })
        #expect(moments.last?.isLoading == false)
      }
    }

    @Test func whatAnInputMethodComposesIsNotSearched() async throws {
      try await withSite { site in
        let browser = site.browser
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
        let bodies = try await browser.run("return bodies", returning: [String].self)
        #expect(Set(bodies) == ["tiếng"])
      }
    }

    @Test func theCaretStaysInTheMiddleWhileStatesArrive() async throws {
      try await withSite(sandbox: .init(latency: .seconds(10)), clock: clock) { site in
        let browser = site.browser
        try await site.openLive("/issues?q=apple/swift", passing: clock)
        try await site.waitForIssues(of: "apple/swift", passing: clock)
        try await browser.click("#q")
        try await browser.run("document.querySelector('#q').setSelectionRange(7, 7)")
        try await browser.run("scrollTo(0, 400)")
        let scroll = try await browser.run("return scrollY", returning: Double.self)
        try await site.record()
        // GitHub does not mind the case, so the list stays as long as it is.
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

    @Test func keysTypedWhileStatesArriveAreAllKept() async throws {
      try await withSite { site in
        let browser = site.browser
        try await site.openLive()
        try await browser.click("#q")
        let text = "  lumen-atelier/paperlamp"
        // One command for each key: states of the earlier ones arrive in between.
        for key in text { try await browser.type("\(key)") }
        try await site.waitForIssues(of: "lumen-atelier/paperlamp")

        #expect(try await browser.value("#q") == text)
        #expect(
          try await browser.run("return document.activeElement.id", returning: String.self) == "q")
      }
    }

    @Test func clearingTheFieldEmptiesTheList() async throws {
      try await withSite(clock: clock) { site in
        try await site.openLive("/issues?q=apple/cups", passing: clock)
        try await site.waitForIssues(of: "apple/cups", passing: clock)
        site.sandbox.forgetRequests()
        try await site.browser.type(
          String(repeating: Key.backspace, count: "apple/cups".count), into: "#q")
        try await site.waitFor("#idle")

        #expect(try await !site.browser.has("#issues"))
        #expect(try await site.browser.value("#q") == "")
        #expect(site.requests.isEmpty)
      }
    }

    @Test func anUnknownRepositoryIsNothingFound() async throws {
      try await withSite(clock: clock) { site in
        try await site.openLive()
        try await site.browser.type("nobody/nothing", into: "#q")
        try await site.waitForText("nobody/nothing")
        try await site.waitFor("#empty", passing: clock)

        #expect(try await site.browser.text("#status") == "Nothing found for nobody/nothing.")
        #expect(try await !site.browser.has("#failure"))
        #expect(try await !site.browser.has(".is-loading"))
        #expect(site.requests == ["/repos/nobody/nothing"])
      }
    }

    @Test func incompleteNamesSayWhatToTypeAndAskNoServer() async throws {
      try await withSite(clock: clock) { site in
        let browser = site.browser
        try await site.openLive()
        try await browser.click("#q")
        for text in ["app", "le/"] {
          // Enter would search at once, if there were something to search for.
          try await browser.type(text + Key.enter)
          try await eventually("the page says what to type", passing: clock) {
            try await browser.text("#status").hasPrefix("Type a repository as owner/name")
          }
        }
        try await browser.type("cups" + Key.enter)
        try await site.waitForIssues(of: "apple/cups", passing: clock)

        #expect(site.requests == ["/repos/apple/cups", "/repos/apple/cups/issues"])
      }
    }

    @Test func aNewSearchOvertakesTheOldOne() async throws {
      try await withSite(sandbox: .init(latency: .seconds(10)), clock: clock) { site in
        try await site.openLive()
        try await site.record()
        try await site.browser.type("apple/swift" + Key.enter, into: "#q")
        try await eventually("the first search is under way") { !site.requests.isEmpty }
        try await site.browser.type("-nio" + Key.enter)
        try await site.waitForText("apple/swift-nio")
        try await site.waitForIssues(of: "apple/swift-nio", passing: clock)

        #expect(site.requests.last == "/repos/apple/swift-nio/issues")
        let moments = try await site.recorded()
        let shown = moments.filter { $0.rows > 0 }.map(\.status)
        #expect(shown.allSatisfy { $0.contains("apple/swift-nio") }, "\(shown)")
      }
    }

    @Test func aFailureIsShownWithARetryThatWorks() async throws {
      try await withSite(sandbox: .init(failureRate: 1)) { site in
        let browser = site.browser
        try await site.openLive()
        try await browser.type("apple/cups", into: "#q")
        try await site.waitFor("#failure")
        #expect(try await browser.text("#status") == "The issues could not be loaded.")
        #expect(try await !browser.has(".is-loading"))
        // It fails once more, and still offers to try again.
        site.sandbox.forgetRequests()
        try await browser.click("#failure a")
        try await eventually("it has tried again") { site.requests.count == 1 }
        try await site.waitFor("#failure")

        try site.sandbox.update { $0.failureRate = 0 }
        try await browser.click("#failure a")
        try await site.waitForIssues(of: "apple/cups")
        #expect(try await !browser.has("#failure"))
      }
    }
  }
}
