/// The texts of issues: Markdown with quotes, line breaks, code, and occasional non-ASCII characters.
enum IssueText {
  static let labels = [
    "bug", "enhancement", "good first issue", "compiler", "standard library", "regression",
    "needs reproduction", "concurrency", "documentation", "performance", "crash",
  ]

  static func login(_ numbers: inout SeededNumbers) -> String {
    numbers.pick(words) + numbers.pick(["", "-", "dev", "x"]) + "\(numbers.int(1...999))"
  }

  static func title(_ numbers: inout SeededNumbers) -> String {
    sentence(numbers.int(4...9), &numbers)
  }

  /// Returns the text of an issue; a few are long, as in real issues.
  static func body(_ numbers: inout SeededNumbers) -> String {
    (0..<numbers.pick([2, 3, 4, 6, 8, 10, 12, 30])).map { _ in block(&numbers) }
      .joined(separator: "\r\n\r\n")
  }

  private static func block(_ numbers: inout SeededNumbers) -> String {
    switch numbers.int(0...9) {
    case 0: return "### " + sentence(3, &numbers)
    case 1:
      let name = numbers.pick(words)
      return "```swift\r\nfunc \(name)(_ text: String) throws -> Int {\r\n"
        + "  guard text != \"\\n\" else { return 0 }\r\n"
        + "\tprint(\"\(name): \\(text)\")\r\n  return 1\r\n}\r\n```"
    case 2:
      return (0..<4).map { _ in "- [ ] " + sentence(numbers.int(3...8), &numbers) }
        .joined(separator: "\r\n")
    case 3: return "> " + sentence(10, &numbers) + "\r\n" + numbers.pick(beyondASCII)
    default:
      return (0..<numbers.int(1...5)).map { _ in sentence(numbers.int(6...16), &numbers) + "." }
        .joined(separator: " ")
    }
  }

  private static func sentence(_ count: Int, _ numbers: inout SeededNumbers) -> String {
    var picked = (0..<count).map { _ in numbers.pick(words) }
    if numbers.percent(20) { picked[count / 2] = "`\(picked[count / 2])`" }
    if numbers.percent(10) { picked[count / 2] = "\"\(picked[count / 2])\"" }
    return picked.joined(separator: " ").prefix(1).uppercased()
      + picked.joined(separator: " ").dropFirst()
  }

  private static let words = [
    "the", "compiler", "crashes", "when", "a", "generic", "type", "with", "an", "opaque",
    "result", "is", "used", "inside", "closure", "that", "captures", "actor", "isolated", "state",
    "after", "updating", "to", "latest", "toolchain", "build", "fails", "linker", "symbol",
    "missing", "expected", "behaviour", "documentation", "example", "protocol", "extension",
    "returns", "wrong", "value", "memory", "leak", "regression", "from", "release", "optimised",
    "debug", "on", "Linux", "Windows", "macOS", "reproduce", "please", "see", "attached", "log",
  ]

  private static let beyondASCII = [
    "Danke schön – läuft jetzt auch für „große“ Projekte.", "Merci, ça marche très bien !",
    "再現手順は上のとおりです。", "Спасибо, это помогло 👍", "🎉🚀 shipped", "It’s “fixed” in main…",
  ]
}
