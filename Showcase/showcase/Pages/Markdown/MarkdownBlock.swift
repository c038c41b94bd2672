extension Markdown {
  /// The kind of block that a line begins.
  enum Block {
    /// A code fence: at least three backticks or tildes.
    struct Fence {
      let character: UInt8
      let length: Int
      let indent: Int
      /// The info string's first word, such as `swift`.
      var language = ""

      /// Returns whether a line contains only a fence of at least the same length.
      func isClosed(by line: MarkdownBytes) -> Bool {
        let text = line.withoutSpaceInFront
        guard text.byte(0) == character else { return false }
        let length = text.run(of: character)
        return length >= self.length && text.dropFirst(length).isBlank
      }
    }

    /// The marker of a list item.
    struct Item {
      let isOrdered: Bool
      /// The column of the item's text.
      let width: Int
      /// Whether the task is done; `nil` if the item is not a task.
      let isDone: Bool?
      let text: MarkdownBytes
    }

    case blank
    case rule
    case heading(Int, MarkdownBytes)
    case fence(Fence)
    case quote
    case item(Item)
    case text

    init(_ line: MarkdownBytes) {
      let text = line.withoutSpaceInFront
      let first = text.first ?? 0
      switch first {
      case _ where text.isEmpty: self = .blank
      case UInt8(ascii: "#"):
        let level = text.run(of: first)
        let title = text.dropFirst(level).trimmed
        let isHeading =
          level <= 6 && (title.count == 0 || text.byte(level) == UInt8(ascii: " "))
        self = isHeading ? .heading(level, title) : .text
      case UInt8(ascii: "`"), UInt8(ascii: "~"):
        let length = text.run(of: first)
        let isFence = length >= 3 && !text.dropFirst(length).contains(UInt8(ascii: "`"))
        let name = text.dropFirst(length).trimmed.prefix { $0 != UInt8(ascii: " ") }
        self =
          isFence
          ? .fence(
            Fence(
              character: first, length: length, indent: line.indent,
              language: name.prefix(20).text)) : .text
      case UInt8(ascii: ">"): self = .quote
      case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"):
        self = Self.isRule(text) ? .rule : Item(line).map { .item($0) } ?? .text
      case UInt8(ascii: "+"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        self = Item(line).map { .item($0) } ?? .text
      default: self = .text
      }
    }

    /// Whether a line consists of at least three equal characters, apart from spaces.
    private static func isRule(_ text: MarkdownBytes) -> Bool {
      let marks = text.filter { !$0.isSpace }
      return marks.count >= 3 && marks.allSatisfy { $0 == text.first }
    }

    /// Returns a line of a quote without its marker; `nil` for other lines.
    static func unquoted(_ line: MarkdownBytes) -> MarkdownBytes? {
      let text = line.trimmed
      guard text.byte(0) == UInt8(ascii: ">") else { return nil }
      return text.dropFirst(text.byte(1) == UInt8(ascii: " ") ? 2 : 1)
    }
  }
}

extension Markdown.Block.Item {
  /// Parses `- text`, `* text`, `+ text`, `1. text` or `1) text`, with an optional `[x]` before the
  /// text.
  fileprivate init?(_ line: MarkdownBytes) {
    let text = line.withoutSpaceInFront
    let digits = text.prefix(10).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      .count
    guard let end = text.byte(digits), digits <= 9, (digits == 0 ? "-*+" : ".)").utf8.contains(end)
    else { return nil }
    let mark = digits + 1
    let rest = text.dropFirst(mark)
    let words = rest.trimmed
    guard
      words.count == 0 || rest.byte(0) == UInt8(ascii: " ") || rest.byte(0) == UInt8(ascii: "\t")
    else { return nil }
    // Trailing spaces don't count as indentation.
    let spaces = words.count == 0 ? 1 : max(1, rest.run(of: UInt8(ascii: " ")))
    isOrdered = digits > 0
    width = line.indent + mark + (spaces > 4 ? 1 : spaces)
    if words.byte(0) == UInt8(ascii: "["), words.byte(2) == UInt8(ascii: "]"),
      words.byte(3) == UInt8(ascii: " "), let state = words.byte(1),
      state == UInt8(ascii: " ") || state | 0x20 == UInt8(ascii: "x")
    {
      isDone = state != UInt8(ascii: " ")
      self.text = words.dropFirst(4)
    } else {
      isDone = nil
      self.text = words
    }
  }
}
