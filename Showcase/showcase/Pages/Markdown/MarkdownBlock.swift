extension Markdown {
  /// What a line begins.
  enum Block {
    /// The mark of code, of at least three backticks or tildes.
    struct Fence {
      let character: Character
      let length: Int
      let indent: Int

      /// Whether a line has a mark that is at least as long, and nothing else.
      func isClosed(by line: Substring) -> Bool {
        let text = line.trimmed
        return text.count >= length && text.allSatisfy { $0 == character }
      }
    }

    /// The mark of an item in a list.
    struct Item {
      let isOrdered: Bool
      /// The column of the item's text.
      let width: Int
      /// Whether the task that it is is done; `nil` for none.
      let isDone: Bool?
      let text: Substring
    }

    case blank
    case rule
    case heading(Int, Substring)
    case fence(Fence)
    case quote
    case item(Item)
    case text

    init(_ line: Substring) {
      let text = line.trimmed
      guard let first = text.first else {
        self = .blank
        return
      }
      switch first {
      case "#":
        let level = text.prefix { $0 == "#" }.count
        let title = text.dropFirst(level)
        self =
          level <= 6 && (title.isEmpty || title.first == " ")
          ? .heading(level, title.trimmed) : .text
      case "`", "~":
        let length = text.prefix { $0 == first }.count
        let isFence = length >= 3 && !text.dropFirst(length).contains("`")
        self =
          isFence
          ? .fence(Fence(character: first, length: length, indent: line.indent)) : .text
      case ">": self = .quote
      case "-", "*", "_":
        let marks = text.filter { $0 != " " }
        if marks.count >= 3, marks.allSatisfy({ $0 == first }) {
          self = .rule
        } else {
          self = Item(line).map { .item($0) } ?? .text
        }
      default: self = Item(line).map { .item($0) } ?? .text
      }
    }

    /// Returns a line of a quote without the quote's mark.
    static func unquoted(_ line: Substring) -> Substring {
      let text = line.trimmed.dropFirst()
      return text.first == " " ? text.dropFirst() : text
    }
  }
}

extension Markdown.Block.Item {
  /// Reads `- text`, `* text`, `+ text`, `1. text` or `1) text`, and `[x]` in front of the text.
  fileprivate init?(_ line: Substring) {
    let text = line.trimmed
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let mark: Int
    if digits.isEmpty {
      guard let first = text.first, "-*+".contains(first) else { return nil }
      mark = 1
    } else {
      guard digits.count <= 9, let end = text.dropFirst(digits.count).first, ".)".contains(end)
      else { return nil }
      mark = digits.count + 1
    }
    let rest = text.dropFirst(mark)
    guard rest.isEmpty || rest.first == " " || rest.first == "\t" else { return nil }
    let spaces = max(1, rest.prefix { $0 == " " }.count)
    isOrdered = !digits.isEmpty
    width = line.indent + mark + (spaces > 4 ? 1 : spaces)
    let words = rest.trimmed
    let tasks = ["[ ] ": false, "[x] ": true, "[X] ": true]
    isDone = tasks[String(words.prefix(4))]
    self.text = isDone == nil ? words : words.dropFirst(4)
  }
}

extension Substring {
  /// How many spaces it begins with; a tab counts as four.
  var indent: Int {
    var width = 0
    for character in self {
      guard character == " " || character == "\t" else { break }
      width += character == " " ? 1 : 4
    }
    return width
  }

  /// The text without up to so many spaces in front.
  func dropIndent(_ width: Int) -> Substring {
    var rest = self
    var left = width
    while left > 0, let first = rest.first, first == " " || first == "\t" {
      left -= first == " " ? 1 : 4
      rest.removeFirst()
    }
    return rest
  }

  /// The text without spaces at both ends.
  var trimmed: Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
