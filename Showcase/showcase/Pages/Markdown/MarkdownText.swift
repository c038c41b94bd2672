/// The inline content of a Markdown block: bold, italic and strikethrough text, code, and links.
///
/// It is parsed in a single pass. Unclosed delimiters are shown as text.
struct MarkdownText {
  enum Mark {
    case star, twoStars, line, twoLines, struck, link, picture

    /// The delimiter as text.
    var written: String {
      switch self {
      case .star: "*"
      case .twoStars: "**"
      case .line: "_"
      case .twoLines: "__"
      case .struck: "~~"
      case .link: "["
      case .picture: "!["
      }
    }

    var isLink: Bool { self == .link || self == .picture }
  }

  /// The maximum number of open delimiters, and thus the nesting depth of the HTML.
  ///
  /// Beyond it, the oldest delimiters are treated as text: they are rarely closed, and the limit
  /// bounds the search for a delimiter.
  private static let maximumOpenSpans = 32

  let bytes: MarkdownBytes
  var position: Int
  /// The start of the text that has not been added to the HTML yet.
  private var unwritten: Int
  private var markup = ""
  /// The HTML before `markup`, in pieces; an opening delimiter's piece is replaced when it is
  /// closed.
  private var pieces: [String] = []
  private var open: [(mark: Mark, piece: Int)] = []
  /// The start of the last run of backticks of each length; `nil` until the first is read.
  private var lastRuns: [Int: Int]?
  /// The remaining budget of bytes for failed attempts to parse links.
  ///
  /// In ordinary texts, each byte is tried at most twice: as the destination of `[a](…)`, and as a
  /// bare URL.
  var attempts: Int

  private init(_ bytes: MarkdownBytes) {
    (self.bytes, position, unwritten) = (bytes, bytes.startIndex, bytes.startIndex)
    attempts = 2 * bytes.count
  }

  /// Returns the HTML of a text.
  static func html(_ text: MarkdownBytes) -> String {
    var reader = MarkdownText(text)
    reader.read()
    reader.endPlain()
    return reader.pieces.joined() + reader.markup
  }

  // MARK: Pieces

  /// Adds the text before the position to the HTML.
  private mutating func endPlain() {
    guard unwritten < position else { return }
    markup += bytes[unwritten..<position].html
    unwritten = position
  }

  /// Adds HTML that replaces the given number of bytes at the position.
  mutating func append(_ html: String, insteadOf count: Int) {
    endPlain()
    markup += html
    position += count
    unwritten = position
  }

  private mutating func begin(_ mark: Mark) {
    endPlain()
    if open.count == Self.maximumOpenSpans { open.removeFirst() }
    pieces.append(markup)
    open.append((mark, pieces.count))
    pieces.append(mark.written)
    markup = ""
    position += mark.written.utf8.count
    unwritten = position
  }

  /// Closes the innermost delimiter of a kind; delimiters inside it become text.
  private mutating func end(_ mark: Mark, _ tag: String) -> Bool {
    guard let index = innermost({ $0 == mark }) else { return false }
    append("</\(tag)>", insteadOf: mark.written.utf8.count)
    pieces[open[index].piece] = "<\(tag)>"
    open.removeLast(open.count - index)
    return true
  }

  private func innermost(_ isRight: (Mark) -> Bool) -> Int? {
    var index = open.count
    while index > 0 {
      index -= 1
      if isRight(open[index].mark) { return index }
    }
    return nil
  }

  // MARK: Reading

  /// The bytes that may begin Markdown syntax.
  private static let special: [Bool] = (0...255).map { (byte: UInt8) in
    "\\`*_~![]h\n".utf8.contains(byte)
  }

  private mutating func read() {
    let special = Self.special
    while position < bytes.endIndex {
      if special[Int(bytes[position])] {
        readSpecial(bytes[position])
      } else {
        position += 1
      }
    }
  }

  private mutating func readSpecial(_ byte: UInt8) {
    let next = position + 1 < bytes.endIndex ? bytes[position + 1] : nil
    switch byte {
    case UInt8(ascii: "\\"): readEscape(next)
    case UInt8(ascii: "`"): readCode()
    case UInt8(ascii: "*"), UInt8(ascii: "_"): readEmphasis(byte)
    case UInt8(ascii: "~") where next == byte:
      if !end(.struck, "del") { begin(.struck) }
    case UInt8(ascii: "!") where next == UInt8(ascii: "["): begin(.picture)
    case UInt8(ascii: "["): begin(.link)
    case UInt8(ascii: "]"): readLinkEnd()
    case UInt8(ascii: "h") where next == UInt8(ascii: "t"): readAddress()
    case UInt8(ascii: "\n"): append("<br>\n", insteadOf: 1)
    default: position += 1
    }
  }

  private mutating func readEscape(_ next: UInt8?) {
    if let next, Character(Unicode.Scalar(next)).isPunctuationOrSymbol {
      append("", insteadOf: 1)
    }
    position += 1
  }

  /// Reads code, which ends with as many backticks as it begins with.
  private mutating func readCode() {
    let length = bytes[position...].run(of: UInt8(ascii: "`"))
    let start = position + length
    let lastRuns = lastRuns ?? Self.lastRuns(in: bytes)
    self.lastRuns = lastRuns
    guard let last = lastRuns[length], last > position else {
      position = start
      return
    }
    var end = start
    while case let run = bytes[end...].run(of: UInt8(ascii: "`")), run != length {
      end += max(1, run)
    }
    let code = bytes[start..<end].map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
    append("<code>\(code[...].html)</code>", insteadOf: end + length - position)
  }

  private static func lastRuns(in bytes: MarkdownBytes) -> [Int: Int] {
    var (runs, index) = ([Int: Int](), bytes.startIndex)
    while index < bytes.endIndex {
      let length = bytes[index] == UInt8(ascii: "`") ? bytes[index...].run(of: bytes[index]) : 0
      if length > 0 { runs[length] = index }
      index += max(1, length)
    }
    return runs
  }

  private mutating func readEmphasis(_ byte: UInt8) {
    let run = bytes[position...].run(of: byte)
    let after = position + run
    let (isAfterSpace, isBeforeSpace) = (
      position == bytes.startIndex || bytes[position - 1].isSpace,
      after == bytes.endIndex || bytes[after].isSpace
    )
    // An underscore within a word is text.
    let canOpen = !isBeforeSpace && (byte == UInt8(ascii: "*") || !isAfterWord)
    let canClose =
      !isAfterSpace
      && (byte == UInt8(ascii: "*") || bytes[after...].prefix(4).text.first?.isWord != true)
    while position < after {
      let isTwo = after - position >= 2
      let mark: Mark =
        byte == UInt8(ascii: "*") ? isTwo ? .twoStars : .star : isTwo ? .twoLines : .line
      if canClose, end(mark, isTwo ? "strong" : "em") { continue }
      if canOpen, run <= 3 {
        begin(mark)
      } else {
        position += isTwo ? 2 : 1
      }
    }
  }

  /// Whether a letter or a digit is before the position.
  var isAfterWord: Bool { bytes[..<position].suffix(8).text.last?.isWord == true }

  // MARK: Links

  /// Whether the position is inside a text that may become a link.
  var isInLink: Bool { innermost { $0.isLink } != nil }

  private mutating func readLinkEnd() {
    guard let index = innermost({ $0.isLink }) else {
      position += 1
      return
    }
    let link = open[index]
    guard let target = target(after: position + 1) else {
      // It becomes text.
      open.remove(at: index)
      position += 1
      return
    }
    append(link.mark == .picture ? " (picture)</a>" : "</a>", insteadOf: target.end - position)
    pieces[link.piece] = Self.start(of: target.address)
    open.removeLast(open.count - index)
    // Links can't be nested.
    open.removeAll { $0.mark.isLink }
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber }
  fileprivate var isPunctuationOrSymbol: Bool { isASCII && (isPunctuation || isSymbol) }
}
