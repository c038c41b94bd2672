import CurlewLive
import CurlewTesting
import ShowcaseTestSupport
import Testing
import showcase

/// Texts that cause quadratic time in a naive parser, or markup with an excessive depth.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MarkdownTimeTests {
  /// Expects that an eightfold text takes less than 30 times the time, and that it takes less than
  /// 60 times as long as plain words of the same length.
  ///
  /// A quadratic algorithm would take 64 times as long. Long lookaheads at each delimiter, even if
  /// bounded, would take hundreds of times as long as words. The fastest of several runs counts,
  /// and a failed measurement is repeated.
  private func expectLinear(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation, _ make: (Int) -> String
  ) {
    let (few, many) = (make(8_000), make(64_000))
    let words = String(repeating: "word ", count: many.utf8.count / 5)
    var (growth, cost) = (Double.infinity, Double.infinity)
    for _ in 0..<4 where growth >= 30 || cost >= 60 {
      let duration = time(many, runs: 2)
      growth = min(growth, duration / time(few, runs: 3))
      cost = min(cost, duration / time(words, runs: 2))
    }
    #expect(
      growth < 30, "\(name.debugDescription): 8 times the text took \(growth) times as long",
      sourceLocation: sourceLocation)
    #expect(
      cost < 60, "\(name.debugDescription): it took \(cost) times as long as words",
      sourceLocation: sourceLocation)
  }

  private func time(_ text: String, runs: Int) -> Double {
    (0..<runs).map { _ in
      processorTime { #expect(!Markdown.html(text).text.isEmpty) } / .seconds(1)
    }.min() ?? 0
  }

  @Test(arguments: [
    "[", "![", "*", "*a ", "**a", "_a ", "~~", "`", "`a", "\\", "&", "<", "<!--", "[a](", "[a](b)",
    "[a](http://:", "http://", "http://:", "https://a.example/,", "> ", ">>>>>>>a\n", "> - a\n",
    "- ", "- a\n", "-\n\n", "1. - a\n", "# ", "a", "a\n", "a\r\n", " ", "\u{A0}a", "😀", "👩\u{200D}",
    "_é word ", "*\u{301}", "```\n", "~~~ a\n", "|", "|a\n", "|-\n", "|a\n|-\n|b\n", "```js\n\"",
    "```js\n/*", "```sh\n1 ",
  ])
  func `the time grows with the number of marks`(mark: String) {
    expectLinear(mark) { count in
      String(repeating: mark, count: count / mark.unicodeScalars.count) + "a"
    }
  }

  @Test func `the time grows with the number of different marks`() {
    expectLinear("runs of backticks of all lengths") { count in
      // With `n` lengths, there are `n` × `n` / 2 backticks.
      let lengths = 1...Int(Double(2 * count).squareRoot())
      return lengths.map { String(repeating: "`", count: $0) }.joined(separator: "a")
    }
    expectLinear("brackets, stars in them, and their ends") { count in
      ["[", "*a ", "]"].map { String(repeating: $0, count: count / 5) }.joined()
    }
    expectLinear("links after stars that stay open") { count in
      String(repeating: "*a ", count: count / 6)
        + String(repeating: "[a](https://a.example)", count: count / 44)
    }
    expectLinear("addresses in each other that are none") { count in
      let nested =
        String(repeating: "[", count: 150) + String(repeating: "](http://:", count: 150)
        + String(repeating: ")", count: 150)
      return String(repeating: nested, count: count / nested.count)
    }
    expectLinear("items that are further and further in") { count in
      (0..<Int(Double(count).squareRoot())).map { String(repeating: " ", count: 2 * $0) + "- a\n" }
        .joined()
    }
    expectLinear("a fence that never ends") { count in
      "```\n" + String(repeating: "let a = b\n", count: count / 10)
    }
  }

  /// Six quotes or lists, and 32 inline elements; a list has an element for itself and for its
  /// item.
  @Test(arguments: [
    ("> ", 6 + 1), ("- ", 2 * 6 + 1), ("1. ", 2 * 6 + 1), ("> - ", 3 + 2 * 3 + 1), ("*a ", 1 + 32),
    ("**a ", 1 + 32), ("*a **b _c __d ~~e ", 1 + 32),
  ])
  func `markup has a bounded depth`(mark: String, most: Int) {
    let words = mark.split(separator: " ").reversed().map { word in
      " x" + word.filter { "*_~".contains($0) }
    }
    let text =
      String(repeating: mark, count: 1_000) + "x" + String(repeating: words.joined(), count: 1_000)
    var (depth, deepest) = (0, 0)
    for tag in Markdown.html(text).text.matches(of: #/<(\/?)[a-z0-9]+/#) {
      depth += tag.1.isEmpty ? 1 : -1
      deepest = max(deepest, depth)
    }
    #expect(depth == 0)
    #expect(deepest > most / 2)
    #expect(deepest <= most)
  }

  @Test func `marks in what stays open are drawn`() {
    let markup = Markdown.html(String(repeating: "*a [b ", count: 100) + "**c**").text
    #expect(markup.hasSuffix("*a [b <strong>c</strong></p>\n"))
  }
}
