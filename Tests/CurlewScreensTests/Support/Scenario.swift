import CurlewScreens
import CurlewTesting
import Testing

/// A test case as text: a line with its name, and indented lines with its steps.
///
/// Steps are separated by semicolons. A step is a word, which the suite describes, and the words after it. Of steps in
/// parentheses, `(more|appeared 3)`, each is a case of its own.
struct Scenario: Sendable, CustomTestStringConvertible {
  struct UnknownWord: Error { let step: String }

  var testDescription: String
  var steps: [String]

  /// Reads all cases of a text, each of which begins with common steps.
  static func all(after common: String = "", _ text: String) -> [Scenario] {
    var cases: [(name: String, steps: String)] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix(" ") {
        cases[cases.count - 1].steps += ";" + line
      } else {
        cases.append((String(line), common))
      }
    }
    return cases.flatMap { name, steps in
      variants(of: steps).map { steps in
        let steps = steps.split(separator: ";").map { $0.split(separator: " ") }
        return Scenario(
          testDescription: name,
          steps: steps.filter { !$0.isEmpty }.map { $0.joined(separator: " ") })
      }
    }
  }

  private static func variants(of steps: String) -> [String] {
    guard let group = steps.firstMatch(of: /\(([^)]*)\)/) else { return [steps] }
    return group.output.1.split(separator: "|").flatMap { alternative in
      variants(of: steps.replacingCharacters(in: group.range, with: alternative))
    }
  }

  /// Performs the steps: a closure gets a step's first word and the others, and returns what the others should be, or `nil`
  /// if the step expects nothing.
  func run(_ perform: (_ word: String, _ words: [String]) throws -> String?) throws {
    for (index, step) in steps.enumerated() {
      let words = step.split(separator: " ").map(String.init)
      let rest = Array(words.dropFirst())
      let actual = try perform(words[0], rest) ?? rest.joined(separator: " ")
      try #require(
        actual == rest.joined(separator: " "), "\(testDescription), step \(index + 1): \(step)")
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: Substring) -> String {
    String(self[..<range.lowerBound] + text + self[range.upperBound...])
  }
}

// MARK: Words

extension Entry {
  /// Reads an entry, `7` or `7:text`, or several, `1..10`.
  static func all(_ word: some StringProtocol) throws -> [Entry] {
    let bounds = word.split(separator: "..")
    if bounds.count == 2 { return try (number(bounds[0])...number(bounds[1])).map { Entry($0) } }
    let parts = word.split(separator: ":")
    return [Entry(try number(parts[0]), parts.dropFirst().joined())]
  }

  private static func number(_ word: some StringProtocol) throws -> Int {
    try #require(Int(word), "\(word) is no number")
  }
}

extension [Entry] {
  init(words: [String]) throws { self = try words.flatMap { try Entry.all($0) } }

  /// The ids with the texts.
  var text: String {
    isEmpty ? "nothing" : map { "\($0.id)\($0.text)" }.joined(separator: " ")
  }
}

extension PageKey {
  /// Reads a key: a page's number, a link or a cursor.
  init(_ word: String) {
    self =
      Int(word).map { .number($0) } ?? (word.hasPrefix("https:") ? .link(word) : .cursor(word))
  }
}

extension PageKey? {
  var text: String {
    switch self {
    case nil: "first"
    case .number(let number): "\(number)"
    case .cursor(let text), .link(let text): text
    }
  }
}

extension Page where Item == Entry {
  /// Reads a page: items, and `next 2`, `of 40` items, `asOf 1`, `partial`, and, at the end, `skipping` with entries.
  init(words: [String]) throws {
    self.init([] as [Entry])
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "next": next = words.popFirst().map { PageKey($0) }
      case "of": total = words.popFirst().flatMap { Int($0) }
      case "asOf": asOf = words.popFirst().flatMap { Double($0) }.map { .at($0) }
      case "partial": isPartial = true
      case "skipping": (skippedEntries, words) = (Array(words), [])
      default: items += try Entry.all(word)
      }
    }
  }
}

extension FeedStatus {
  var text: String {
    switch self {
    case .idle: "idle"
    case .content: "content"
    case .ended: "ended"
    case .empty: "empty"
    case .loading(let kind): "loading \(kind)"
    case .failed(let failure, let kind):
      failure.textOnly == .broken ? "failed \(kind)" : "\(failure)"
    }
  }
}
