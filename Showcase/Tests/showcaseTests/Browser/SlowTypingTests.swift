import ShowcaseTestSupport
import Testing

extension BrowserTests {
  /// A field keeps the typed text, regardless of the speed of the browser and the server.
  @Suite struct SlowTypingTests {
    private static let texts = Fuzz.size(4, full: 500)

    @Test(.site, .serialized, arguments: [false, true])
    func `a field holds what was typed`(isInspected: Bool) async throws {
      let seed = Fuzz.seed()
      var random = SeededGenerator(seed: seed)
      try await site.openLive("/dogs")
      try await browser.watch()
      try await browser.click("#q")
      for count in 1...Self.texts {
        let text = text(&random)
        try await browser.slowDown(by: random.pick([1, 6, 20]))
        // The inspector is still loading, or has just been closed, when the user continues.
        if isInspected {
          try await browser.click("[data-live-inspect]")
          try await browser.click("#q")
        }
        try await browser.press("a", with: Key.control)
        try await browser.type(Key.backspace)
        try await browser.expect(text)
        let longest = random.pick([0, 5, 40, 150])
        try await browser.type(text.map { ($0, random.pick(0...longest)) })
        try await browser.waitForState(with: text)

        let problems = try await browser.problems()
        #expect(problems.isEmpty, "text \(count) with CURLEW_SEED=\(seed)")
        if !problems.isEmpty { return }
      }
      #expect(try await browser.states() >= Self.texts, "it was about something")
    }

    /// Returns a text with at least one word, and with spaces at any position.
    private func text(_ random: inout SeededGenerator) -> String {
      let letters = Array("abegrstéß日 ")
      let text = (0..<random.pick(0...9)).map { _ in String(random.pick(letters)) }.joined()
      return random.pick(["great", "shiba", "s"]) + text
    }
  }
}

extension Browser {
  /// Throttles the browser's CPU.
  fileprivate func slowDown(by rate: Int) async throws {
    try await devTools("Emulation.setCPUThrottlingRate", ["rate": rate])
  }

  /// Records violations after each state: the field's text is not a prefix of the typed text, the
  /// caret is not at its end, or a clicked field has lost the focus.
  fileprivate func watch() async throws {
    try await run(
      """
      const field = document.querySelector("#q");
      // The end of the selection, because the last text may be selected in order to replace it.
      window.typed = { text: "", problems: [], states: 0, clicked: null };
      addEventListener("pointerdown", ({ target }) => { typed.clicked = target; }, true);
      addEventListener("live:state", () => {
        typed.states += 1;
        const isEnd = field.selectionEnd === field.value.length;
        const isFocused = document.activeElement === field || typed.clicked !== field;
        if (typed.text.startsWith(field.value) && isEnd && isFocused) return;
        typed.problems.push(`${JSON.stringify(field.value)}, caret ${field.selectionEnd}, focus ` +
          `${document.activeElement.nodeName} while ${JSON.stringify(typed.text)} was typed`);
      });
      """)
  }

  fileprivate func expect(_ text: String) async throws {
    try await run("typed.text = arguments[0]", text)
  }

  fileprivate func waitForState(with text: String) async throws {
    try await eventually("the state has \(text)") {
      try await run(
        """
        return document.querySelector("#q").defaultValue.trim() === arguments[0].trim()
          || typed.problems.length > 0;
        """, text, returning: Bool.self)
    }
    let value = try await value("#q")
    try await run(
      "if (arguments[0] !== typed.text) typed.problems.push(`${arguments[0]} in the end`)", value)
  }

  fileprivate func problems() async throws -> [String] {
    try await run("return typed.problems", returning: [String].self)
  }

  fileprivate func states() async throws -> Int {
    try await run("return typed.states", returning: Int.self)
  }
}
