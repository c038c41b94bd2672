import CurlewScreens
import CurlewTerminal
import CurlewTesting
import Synchronization
import Testing

/// Screens in a virtual terminal: fields, rows, texts, alerts and navigation.
@Suite(.timeLimit(.minutes(1)))
struct TerminalAppTests {
  private func found(_ text: String = "x") -> TerminalProbe {
    let probe = TerminalProbe(Kennel.search())
    probe.type(text)
    probe.press(.enter)
    probe.press(.down)
    return probe
  }

  @Test func `an empty field has the focus and searches`() {
    let probe = TerminalProbe(Kennel.search())
    #expect(probe.rows[0] == " Dogs")
    #expect(probe.rows[1] == "Breed: beagle")
    #expect(probe.caret?.row == 1 && probe.caret?.column == 7)
    probe.type("x")
    probe.advance(by: .milliseconds(500))
    #expect(probe.rows.contains("40 dogs"))
    #expect(probe.rows.contains("  NAME  GROUP"))
    #expect(probe.rows.contains("  x 2   Hounds"))
  }

  @Test func `a field is edited like a shell's line`() {
    let probe = TerminalProbe(Kennel.search())
    func line() -> String { String(probe.rows[1].dropFirst(7)) }
    probe.press(.text("a"), .text("b"), .left, .text("é"), .home, .text("q"))
    #expect(line() == "qaéb")
    probe.press(.delete, .end, .backspace)
    #expect(line() == "qé")
    #expect(!probe.hasQuit, "letters are text here")
    probe.press(.text("👍"), .text("\u{1F3FD}"))
    #expect(probe.caret?.column == 7 + 4, "a colour joins its thumb")
    probe.press(.backspace, .text(" two words"), .control("w"))
    #expect(line() == "qé two")
    probe.press(.control("u"), .paste("x\ny"), .paste("\r\nz\r"))
    #expect(line() == "x y z")
    probe.press(.control("u"), .text("one two  three"), .alt(.left), .alt(.text("b")))
    probe.press(.alt(.backspace), .alt(.text("d")))
    #expect(line() == "  three")
    probe.press(.alt(.text("f")), .text("!"), .alt(.text("q")), .alt(.enter))
    #expect(line() == "  three!" && !probe.hasQuit)
    probe.press(.alt(.control("c")))
    #expect(probe.hasQuit)
  }

  @Test(arguments: ["\u{301}", "\u{200D}"])
  func `a styled text may begin with a combining mark`(mark: String) {
    let probe = TerminalProbe(
      TerminalApp(Search<String> { [$0] }) { state in
        TerminalView("Dogs", fields: [Field("\(mark)Breed", text: state.text) { .term($0) }])
      }, environment: ["TERM": "xterm-256color"])
    #expect(probe.rows.contains { $0.contains("Breed") })
  }

  @Test func `a long paste is cut at the field's limit`() {
    let probe = TerminalProbe(Kennel.search { [Kennel.Dog(name: "\($0.count)")] })
    for _ in 0..<25 { probe.press(.paste(String(repeating: "é", count: 4_000))) }
    probe.advance(by: .milliseconds(500))
    #expect(probe.rows.contains { $0.hasPrefix("› 10000") })
    probe.press(.text("x"), .backspace, .text("y"))
    #expect(probe.rows[1].hasSuffix("éy"))
  }

  @Test func `rows are selected, scrolled and opened, and Escape leads back`() throws {
    let probe = found()
    probe.press(.down, .down)
    #expect(probe.rows.contains("› x 3   Hounds"))
    probe.press(.end)
    #expect(probe.rows.contains("› x 40  Hounds"))
    probe.press(.pageUp, .pageUp, .home, .up)
    #expect(probe.caret != nil, "above the first row is the field")
    probe.press(.down, .text("jjk"))
    #expect(probe.rows.contains("› x 2   Hounds"))
    probe.press(.enter)
    #expect(probe.rows[0] == " x 2")
    #expect(probe.rows.contains("Group  Hounds"))
    probe.press(.escape)
    #expect(probe.rows.contains("› x 2   Hounds"), "the row is still selected")
    probe.press(.text("?"))
    #expect(probe.rows.contains { $0.hasPrefix("Enter") }, "the keys")
    probe.press(.escape, .text("t"))
    #expect(probe.rows.contains("Tag of x 2"))
    probe.press(.escape, .text("a"))
    #expect(probe.rows.contains("› all 2   Hounds"))
    probe.press(.escape)
    #expect(probe.rows[1] == "Breed: beagle", "Escape clears the field")
    probe.press(.escape, .escape, .tab, .control("z"), .control("l"))
    #expect(probe.suspensions == 1 && !probe.hasQuit)
  }

  @Test func `a link and styles reach the terminal`() throws {
    let probe = found()
    let row = try #require(probe.rows.firstIndex { $0.hasPrefix("› x 1") })
    #expect(probe.styles(in: row).map(\.style) == ["7"])
    #expect(probe.styles(in: row + 1).map(\.style).contains("2"), "a faint column")
    probe.press(.enter)
    let page = try #require(probe.rows.firstIndex { $0.hasPrefix("Page") })
    #expect(probe.styles(in: page)[1].style == "https://dogs.example/3")
  }

  @Test func `the mouse selects, opens and scrolls`() throws {
    let probe = found()
    let row = try #require(probe.rows.firstIndex { $0.hasPrefix("  x 3") })
    probe.press(.click(line: row, column: 3))
    #expect(probe.rows[row] == "› x 3   Hounds")
    probe.press(.wheel(3))
    #expect(probe.rows.contains("› x 6   Hounds"))
    probe.press(.click(line: 1, column: 3))
    #expect(probe.caret?.row == 1)
    let sixth = try #require(probe.rows.firstIndex { $0.hasPrefix("› x 6") })
    probe.press(.click(line: sixth, column: 3), .click(line: sixth, column: 3))
    #expect(probe.rows[0] == " x 6")
    probe.press(.wheel(3))
    #expect(!probe.rows.contains("Group  Hounds") && probe.rows.contains("Line 1"))
    probe.press(.click(line: 99, column: 0), .click(line: 0, column: 0))
    #expect(!probe.hasQuit)
  }

  @Test func `a feed loads the pages that become visible`() {
    let probe = TerminalProbe(Kennel.feed())
    #expect(probe.rows.contains("› Dog 1    Hounds"))
    #expect(probe.rows.contains { $0.hasSuffix(" 1 of 100 ─") })
    probe.press(.end)
    #expect(probe.rows.contains { $0.hasSuffix(" 100 of 200 ─") })
    for _ in 0..<100 { probe.press(.end) }
    #expect(probe.rows.contains { $0.hasSuffix(" 5000 of 5000 ─") })
    #expect(probe.rows.contains { $0.hasPrefix("› Dog 5000") })
  }

  @Test func `a list keeps its selected row, and asks once for each number of rows`() {
    let screen = Counter()
    let probe = TerminalProbe(
      TerminalApp(screen) { count in
        // The first row is a new one, and no state tells that more are loading.
        let rows = (0..<count).reversed().map { Kennel.Dog(name: "Dog \($0)") }
        return TerminalView(
          "Count", status: "\(count)",
          list: List(rows, id: \.name, columns: Kennel.columns, more: .asked),
          shortcuts: [Shortcut("a", "add", .send(.add))])
      })
    probe.press(.end)
    #expect(probe.rows.contains { $0.hasPrefix("› Dog 0") })
    probe.press(.text("a"))
    #expect(probe.rows.contains { $0.hasPrefix("› Dog 0") } && probe.rows.contains("4"))
    probe.press(.up, .down)
    #expect(screen.asked.count.withLock(\.self) == 2)
  }

  @Test func `the list has the focus when the field that had it is gone`() {
    let dogs = ["Akita", "Bobtail"].map { Kennel.Dog(name: $0) }
    let probe = TerminalProbe(
      TerminalApp(Counter()) { count in
        TerminalView(
          "Count", fields: count < 4 ? [Field("Add", text: "") { _ in .add }] : [],
          list: List(dogs, id: \.name, columns: Kennel.columns))
      })
    #expect(probe.caret != nil)
    probe.type("x")
    #expect(probe.caret == nil)
    probe.press(.down)
    #expect(probe.rows.contains { $0.hasPrefix("› Bobtail") })
  }

  @Test func `a failure says its reason and the way on`() {
    let probe = TerminalProbe(Kennel.feed(fails: true))
    #expect(probe.rows.contains { $0.contains("Press r to try again, x to dismiss.") })
    probe.press(.text("r"))
    #expect(probe.rows.contains { $0.contains("Press r to try again, x to dismiss.") })
    probe.press(.text("x"))
    #expect(!probe.rows.contains { $0.contains("Press r") })
  }

  @Test func `a form shows problems at its fields and opens a route`() {
    let probe = TerminalProbe(Kennel.form())
    probe.press(.tab)
    #expect(probe.rows[1...2] == ["Name:", "  Fill in the name."], "after the field was left")
    probe.type("Bo")
    probe.press(.enter)
    #expect(probe.caret?.row == 1, "the first field with a problem has the focus")
    #expect(!probe.rows.contains("  Fill in the owner."))
    probe.type("Rex")
    probe.press(.enter)
    #expect(probe.rows[0] == " Registered")
    probe.press(.escape)
    #expect(probe.rows.contains("Number 7"))
  }

  @Test func `choices change with the arrows and share a line`() {
    let probe = TerminalProbe(Filter.app)
    #expect(probe.rows[1] == "Size: small  Coat: short")
    probe.press(.tab, .right)
    #expect(probe.rows[1] == "Size: ‹ medium ›  Coat: short")
    probe.press(.left, .left)
    #expect(probe.rows.contains("Size 3, short"))
    probe.press(.tab, .left)
    #expect(probe.rows.contains("Size 3, long"))
  }

  @Test func `a text is beside its list in a wide window`() {
    let probe = TerminalProbe(Kennel.feed(), columns: 120)
    probe.press(.enter)
    #expect(probe.rows.contains { $0.hasPrefix("› Dog 1 ") && $0.hasSuffix(" │") })
    #expect(probe.rows.contains { $0.hasSuffix("│ Dog 1") })
    probe.resize(columns: 80, rows: 24)
    #expect(!probe.rows.contains { $0.contains("│") } && probe.rows.contains("Dog 1"))
    probe.resize(columns: 120, rows: 24)
    probe.press(.tab, .down)
    #expect(!probe.rows.contains { $0.contains("│") }, "it belonged to another row")
    probe.press(.enter)
    #expect(probe.rows.contains { $0.hasSuffix("│ Dog 2") })
  }

  @Test func `untrusted text never controls the terminal`() {
    let evil = "\u{1B}[2J\u{1B}]0;x\u{7}\u{9B}31m\u{202E}evil\r\n"
    let probe = TerminalProbe(
      TerminalApp(Feed<Kennel.Dog> { _ in Page([Kennel.Dog(name: evil)]) }, start: [.load]) {
        state in
        TerminalView(
          evil, status: evil, remarks: [evil],
          fields: [Field(evil, text: evil, prompt: evil, problem: evil) { _ in .refresh }],
          note: evil,
          list: List(state, columns: Kennel.columns, event: { $0 }) { _ in
            .show(Text(evil, title: evil, facts: [(evil, evil)]))
          }, shortcuts: [Shortcut("\u{1B}", evil, .send(.refresh))])
      })
    #expect(probe.rows.filter { $0.contains("evil") }.count > 6)
    probe.press(.enter)
    #expect(probe.rows.filter { $0.contains("evil") }.count > 3)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color", "NO_COLOR": "1"], ""), (["TERM": "linux"], "30;47"),
    (["TERM": "xterm-256color"], "38;5;16;48;5;116"),
    (["TERM": "xterm", "COLORTERM": "truecolor"], "38;2"),
  ])
  func `labels use the terminal's colours`(environment: [String: String], style: String) throws {
    let labels: [Column<Kennel.Dog>] = [.labels("LABELS") { _ in [("calm", "87cedd")] }]
    let dogs = [Kennel.Dog(name: "Bo"), Kennel.Dog(name: "Rex")]
    let probe = TerminalProbe(
      TerminalApp(Filter()) { _ in
        TerminalView("Labels", list: List(dogs, id: \.name, columns: labels))
      }, environment: environment)
    let row = try #require(probe.rows.lastIndex { $0.contains("calm") })
    let styles = probe.styles(in: row).map(\.style)
    #expect(style == "38;2" || styles.contains(style), "\(styles)")
    if style == "38;2" { #expect(styles.contains("38;5;16;48;2;135;206;221"), "\(styles)") }
  }

  @Test func `a terminal without UTF-8 gets ASCII of the same width`() {
    let probe = TerminalProbe(
      Kennel.search { _ in [Kennel.Dog(name: "Ünïcödé 星 ★")] },
      environment: ["TERM": "xterm", "LANG": "de_DE.ISO-8859-1"])
    probe.type("x")
    probe.press(.enter, .down)
    #expect(probe.rows.contains("> Unicode ?? *  Hounds"))
    #expect(probe.rows.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
  }
}
