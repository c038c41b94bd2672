import Testing

@testable import CurlewTerminal

/// The width of a text in columns.
@Suite(.timeLimit(.minutes(1)))
struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("äöü", 3), ("–…", 2),
    ("星空", 4), ("かな", 4), ("ｶﾅ", 2), ("ＡＢ", 4), ("한국", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
    ("مكتبة", 5), ("שלום", 4), ("中a", 3), ("、。", 4), ("𠀀", 2),
    ("🌱", 2), ("👍🏽", 2), ("👩‍👩‍👧‍👦", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🇩🇪", 2), ("1️⃣", 2), ("❤️", 2), ("❤", 1), ("⌚", 2),
    ("©", 1), ("✓", 1), ("→", 1), ("█", 1), ("क्षि", 3),
    ("🏳️‍🌈", 2), ("🏳‍🌈", 2), ("❤️‍🔥", 2), ("👩🏽‍🚀", 2), ("👨🏿‍🤝‍👨🏻", 2), ("🇩🇪🇫🇷", 4), ("✈️", 2), ("✈\u{FE0E}", 1),
    ("☕️", 2), ("#️⃣", 2), ("Z\u{351}\u{36B}\u{343}", 1), ("が", 2), ("か\u{3099}", 2), ("ไก่", 2),
    ("e\u{301}\u{20DD}", 1), ("🧑‍💻x🧑‍💻", 5), ("a\u{200D}b", 2), ("\u{FFFD}", 1),
  ])
  func `every character takes its columns`(text: String, columns: Int) {
    #expect(text.terminalWidth == columns)
  }

  @Test func `width of a text is the sum of its characters`() {
    #expect("Fix 星空 🌱 rendering".terminalWidth == 21)
  }
}
