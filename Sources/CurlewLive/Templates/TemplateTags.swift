/// The tags of a Mustache template whose delimiters are two braces.
struct TemplateTags: Sequence, IteratorProtocol {
  enum Kind: Equatable {
    case text, markup, section, invertedSection, end, partial
    /// A tag that ``HTMLTemplate`` does not support, with a description of its effect.
    case unsupported(String)
  }

  struct Tag {
    let kind: Kind
    /// The name without transforms; empty for a transform without a name, such as `first()`.
    let name: String
    /// The names of the transforms, in the order in which they are applied.
    let transforms: [String]
    let line: Int
  }

  private var rest: Substring
  private var line = 1

  init(_ text: String) { rest = text[...] }

  /// Returns the next tag, skipping comments.
  mutating func next() -> Tag? {
    while let start = rest.firstRange(of: "{{") {
      skip(to: start.upperBound)
      let isTriple = rest.first == "{"
      guard let end = rest.firstRange(of: isTriple ? "}}}" : "}}") else { return nil }
      let content = rest[..<end.lowerBound].trimmed
      let line = line
      skip(to: end.upperBound)
      if content.first == "!" { continue }
      let kind = isTriple ? .markup : content.first.flatMap { Self.kinds[$0] }
      let text = kind == nil ? content : content.dropFirst().trimmed
      var names = text.split(separator: "(", omittingEmptySubsequences: false)
      let name = names.removeLast().prefix { $0 != ")" }.trimmed
      return Tag(
        kind: kind ?? .text, name: String(name),
        transforms: names.reversed().map { String($0.trimmed) }, line: line)
    }
    return nil
  }

  private static let kinds: [Character: Kind] = [
    "&": .markup, "#": .section, "^": .invertedSection, "/": .end, ">": .partial,
    "=": .unsupported("change the delimiters"), "%": .unsupported("change how texts are escaped"),
    "$": .unsupported("inherit from others"), "<": .unsupported("inherit from others"),
  ]

  private mutating func skip(to end: Substring.Index) {
    line += rest[..<end].utf8.count { $0 == UInt8(ascii: "\n") }
    rest = rest[end...]
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.prefix(
      upTo: start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)
  }
}
