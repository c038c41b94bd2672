import Testing

extension BrowserTests {
  /// The work for a list of 5,000 rows, counted in calls of the DOM.
  @Suite struct LongListTests {
    private static let rows = 5_000

    private func withRows(_ body: @escaping @Sendable (Browser) async throws -> Void) async throws {
      try await withTextPage { state in
        let rows = (1...Self.rows).map { row in
          """
          <p data-key="\(row)" id="row\(row)" tabindex="-1" data-live-row data-live-hook="count">\
          \(row) \(state)</p>
          """
        }
        return "<div id=\"rows\">\(rows.joined())</div>"
      } _: { browser in
        try await browser.run(
          """
          window.calls = 0;
          for (const [type, name] of [[Element.prototype, "getClientRects"], [Node.prototype, "contains"]]) {
            const own = type[name];
            type[name] = function (...values) {
              calls += 1;
              return own.apply(this, values);
            };
          }
          """)
        try await body(browser)
      }
    }

    @Test func `an arrow key measures only the next row`() async throws {
      try await withRows { browser in
        try await browser.run("document.querySelector('#row2500').focus(); calls = 0;")
        try await browser.type(Key.down)
        #expect(try await browser.focus == "row2501")
        let calls: Int = try await browser.evaluate("calls")
        #expect((1...20).contains(calls))
      }
    }

    @Test func `a change of all rows calls the hook of each row once`() async throws {
      try await withRows { browser in
        try await browser.run(
          """
          window.changes = 0;
          Live.hook("count", { change() { changes += 1; } });
          calls = 0;
          """)
        try await browser.set("b")
        let (changes, calls): (Int, Int) = (
          try await browser.evaluate("changes"), try await browser.evaluate("calls")
        )
        #expect(changes == Self.rows)
        #expect(calls < 2 * Self.rows)
      }
    }
  }
}
