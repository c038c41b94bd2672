import Testing

@testable import CurlewTerminal

/// The capabilities of a terminal.
@Suite(.timeLimit(.minutes(1)))
struct TerminalTests {
  @Test(arguments: [
    ("000000", 16), ("ffffff", 231), ("ff0000", 196), ("888888", 102), ("0000ff", 21),
    ("2f2f2f", 16), ("303030", 59), ("727272", 59), ("737373", 102),
  ])
  func `nearest colour is in the cube`(hexadecimal: String, index: Int) {
    #expect("x".on(hexadecimal, in: .indexed).contains("48;5;\(index)mx"))
    #expect("x".on(hexadecimal, in: .none) == "x")
  }

  @Test func `width is that of the environment when it is one`() {
    for (columns, width) in [("50", 50), ("0", 80), ("-5", 80), ("wide", 80), ("", 80)] {
      #expect(Terminal(windowWidth: 80, environment: ["COLUMNS": columns]).width == width)
    }
    #expect(Terminal(windowWidth: nil, environment: ["COLUMNS": "50"]).width == nil)
  }

  @Test func `empty no color means nothing`() {
    let environment = ["TERM": "xterm", "NO_COLOR": ""]
    #expect(Terminal(windowWidth: 80, environment: environment).colors == .indexed)
  }

  @Test(arguments: [
    ([:], true), (["LANG": "en_US.UTF-8"], true), (["LANG": "C"], false),
    (["LC_ALL": "C.utf8"], true),
    (["LANG": "C.UTF-8", "LC_CTYPE": "de_DE"], false), (["LANG": "C.UTF-8", "LC_ALL": ""], true),
  ])
  func `the locale tells whether UTF-8 is displayed`(environment: [String: String], isUnicode: Bool)
  {
    #expect(Terminal(windowWidth: 80, environment: environment).isUnicode == isUnicode)
  }

  @Test func `the replacements in ASCII have the same width`() {
    let terminal = Terminal(windowWidth: 80, environment: ["LANG": "C"])
    for text in ["Ünïcödé – “x”…", "名犬 ★", "مكتبة", "👩‍👩‍👧‍👦", "e\u{301}", "│ › ─"] {
      let line = terminal.encoded(text)
      #expect(line.utf8.allSatisfy { $0 < 0x80 } && line.terminalWidth == text.terminalWidth)
    }
    #expect(terminal.encoded("\u{1B}[7m› é\u{1B}[0m") == "\u{1B}[7m> e\u{1B}[0m")
  }
}
