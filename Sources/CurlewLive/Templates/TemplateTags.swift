/// Reads the tags of a Mustache template.
struct TemplateTags: Sequence, IteratorProtocol {
  enum Kind: Equatable {
    case text, markup, section, invertedSection, end, part, block, parent
  }

  struct Tag {
    let kind: Kind
    /// The name without transforms; empty where they have none: `first()`.
    let name: String
    let line: Int
  }

  private var rest: Substring
  private var line = 1
  private var (open, close) = ("{{", "}}")

  init(_ text: String) { rest = text[...] }

  /// Returns the next tag, but for comments and settings.
  mutating func next() -> Tag? {
    while let start = rest.range(of: open) {
      skip(to: start.upperBound)
      let isTriple = open == "{{" && rest.first == "{"
      guard let end = rest.range(of: isTriple ? "}}}" : close) else { return nil }
      let content = rest[..<end.lowerBound].trimmed
      let line = line
      skip(to: end.upperBound)
      if isTriple {
        return Tag(kind: .markup, name: Self.name(in: content.dropFirst().trimmed), line: line)
      }
      if content.first == "=" {
        let delimiters = content.dropFirst().prefix { $0 != "=" }.split(separator: " ")
        if delimiters.count == 2 { (open, close) = (String(delimiters[0]), String(delimiters[1])) }
        continue
      }
      if content.first == "!" || content.first == "%" { continue }
      let kind = content.first.flatMap { Self.kinds[$0] }
      let name = kind == nil ? content : content.dropFirst().trimmed
      return Tag(kind: kind ?? .text, name: Self.name(in: name), line: line)
    }
    return nil
  }

  private static let kinds: [Character: Kind] = [
    "&": .markup, "#": .section, "^": .invertedSection, "/": .end, ">": .part, "$": .block,
    "<": .parent,
  ]

  private mutating func skip(to end: Substring.Index) {
    line += rest[..<end].utf8.count { $0 == UInt8(ascii: "\n") }
    rest = rest[end...]
  }

  /// Returns what transforms are of: `name` in `uppercased(name)`.
  private static func name(in text: Substring) -> String {
    guard let start = text.lastIndex(of: "(") else { return String(text) }
    return String(text[text.index(after: start)...].prefix { $0 != ")" }.trimmed)
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.prefix(
      upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)
  }

  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
