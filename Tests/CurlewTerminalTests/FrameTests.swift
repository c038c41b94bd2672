import CurlewScreens
import CurlewTerminal
import CurlewTesting
import TestSupport
import Testing

/// The lines of the window, for any size, data and keys.
@Suite(.timeLimit(.minutes(1)))
struct FrameTests {
  private static let sizes = [(20, 5), (20, 8), (33, 12), (40, 12), (80, 24), (100, 7), (200, 50)]

  /// Names that are difficult to lay out.
  private static let names = [
    "Up", String(repeating: "Donaudampfschiff", count: 12), "名犬ハチ公の物語", "مكتبة الكلاب", "👩‍👩‍👧‍👦 👍🏽 🇩🇪",
    String(repeating: "It happens. ", count: 20), "e\u{301}\u{20DD}", "",
  ]

  private func app(_ names: [String]) -> TerminalApp {
    Kennel.search { text in
      if text.contains("!") { throw Kennel.Broken() }
      return names.enumerated().map { Kennel.Dog(name: "\($1) \($0)", group: $1) }
    }
  }

  /// Presses random keys in windows of changing sizes: what the terminal shows must equal a frame that is drawn anew.
  @Test(arguments: [names, []])
  func `hard data fits every window, and nothing old remains`(names: [String]) {
    var random = SeededGenerator(seed: Fuzz.seed())
    let keys: [TerminalKey] = [
      .up, .down, .left, .right, .tab, .backtab, .enter, .escape, .end, .home, .pageDown, .pageUp,
      .text("x"), .text("t"), .text("r"), .text("/"), .text("!"), .text("?"), .text("👨‍👩‍👧"),
      .paste("a\u{1B}[2Jb"), .backspace, .wheel(3), .wheel(-3), .click(line: 7, column: 4),
      .click(line: 1, column: 60),
    ]
    let probe = TerminalProbe(app(names))
    for _ in 0..<Fuzz.runs(200) {
      let (columns, rows) = Self.sizes.randomElement(using: &random) ?? (80, 24)
      if Int.random(in: 0..<4, using: &random) == 0 { probe.resize(columns: columns, rows: rows) }
      probe.press(keys.randomElement(using: &random) ?? .up)
      if Bool.random(using: &random) { probe.advance(by: .milliseconds(500)) }
      let shown = probe.rows
      probe.press(.control("l"))
      #expect(probe.rows == shown)
    }
  }

  @Test(arguments: sizes)
  func `the selected row and the title are in every window`(columns: Int, rows: Int) {
    let probe = TerminalProbe(Kennel.feed(), columns: columns, rows: rows)
    probe.press(.down, .down)
    #expect(probe.rows.contains { $0.hasPrefix("› Dog 3") })
    #expect(probe.rows[0] == " All dogs")
    let hasRule = probe.rows.contains { $0.hasSuffix(" 3 of 100 ─") && $0.count == columns }
    #expect(hasRule == (rows > 5), "up to the last column, if there is space")
  }

  @Test func `only lines that changed are drawn`() {
    let session = Session(Kennel.feed())
    #expect(session.draw().contains("\u{1B}[2J"))
    #expect(session.draw() == "")
    _ = session.press(.down)
    let text = session.draw()
    #expect(text.matches(of: /\u{1B}\[\d+;1H/).count == 3, "two rows and the position")
    session.columns = 40
    #expect(session.draw().contains("\u{1B}[2J"))
  }
}
