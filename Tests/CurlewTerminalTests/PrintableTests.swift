import Foundation
import Testing

@testable import CurlewTerminal

/// Text from untrusted sources never controls the terminal.
@Suite(.timeLimit(.minutes(1)))
struct PrintableTests {
  @Test(arguments: [
    ("plain", "plain"),
    ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"),
    ("\u{1B}]0;title\u{7}", "\u{FFFD}]0;title\u{FFFD}"),
    ("\u{9B}31m", "\u{FFFD}31m"),
    ("a\u{0}b\u{7F}c", "a\u{FFFD}b\u{FFFD}c"),
    ("two\nlines\r\nand\ttab", "two lines and tab"),
    ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"),
    ("\u{202E}gnp.exe\u{2066}\u{200F}\u{61C}", "gnp.exe"),
    ("soft\u{AD}hyphen\u{FEFF}", "softhyphen"),
    ("hidden\u{E0041}\u{E0042}", "hidden"),
    ("x\u{8}\u{8}y", "x\u{FFFD}\u{FFFD}y"),
  ])
  func `what steers is replaced`(text: String, printable: String) {
    #expect(text.printable == printable)
  }

  @Test(arguments: [
    "Ünïcödé – 星空 مكتبة", "👩‍👩‍👧‍👦 👍🏽 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 1️⃣ ❤️", "e\u{301}", "نمی‌خواهم", "क्षि", "ｶﾞ",
  ])
  func `honest text stays`(text: String) {
    #expect(Array(text.printable.unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test func `marks do not pile up`() {
    let pile = "a" + String(repeating: "\u{301}\u{200D}", count: 1_000)
    #expect(pile.printable.unicodeScalars.count == 9)
  }
}
