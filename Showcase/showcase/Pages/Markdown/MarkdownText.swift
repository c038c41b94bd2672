import CurlewLive
import Foundation

/// The text of one block in Markdown: bold, italic and struck text, code, and links.
///
/// It is read once from the beginning to the end. What is opened and never closed is shown as it was
/// written.
struct MarkdownText {
  private enum Mark: Equatable {
    case emphasis(Character, length: Int)
    case struck
    /// `[`, and whether it is a picture's.
    case link(isPicture: Bool)
  }

  /// The longest address of a link, in characters.
  private static let longestAddress = 2_000

  private let text: [Character]
  private var position = 0
  /// Pieces of markup; that of an opening mark is the mark itself until it is closed.
  private var pieces: [String] = []
  private var plain = ""
  private var open: [(mark: Mark, piece: Int)] = []
  /// How many marks of a kind are open.
  private var counts: [String: Int] = [:]
  /// The lengths of runs of backticks that are in the rest of the text no more.
  private var unclosed: Set<Int> = []

  private init(_ text: some StringProtocol) { self.text = Array(text) }

  /// Returns the markup of a text.
  static func html(_ text: some StringProtocol) -> String {
    var reader = MarkdownText(text)
    while reader.position < reader.text.count { reader.step() }
    reader.endPlain()
    return reader.pieces.joined()
  }

  private func character(at index: Int) -> Character? {
    text.indices.contains(index) ? text[index] : nil
  }

  /// Whether a string is at the position.
  private func isAt(_ string: String) -> Bool {
    var index = position
    for character in string {
      guard self.character(at: index) == character else { return false }
      index += 1
    }
    return true
  }

  // MARK: Pieces

  private mutating func endPlain() {
    guard !plain.isEmpty else { return }
    pieces.append(HTML(text: plain).text.replacing("\n", with: "<br>\n"))
    plain = ""
  }

  private mutating func append(_ markup: String) {
    endPlain()
    pieces.append(markup)
  }

  private mutating func begin(_ mark: Mark, _ written: String) {
    append(HTML(text: written).text)
    open.append((mark, pieces.count - 1))
    counts["\(mark)", default: 0] += 1
  }

  /// Ends the innermost mark of a kind; those within it stay as they were written.
  private mutating func end(_ mark: Mark) -> Int? {
    guard counts["\(mark)", default: 0] > 0 else { return nil }
    while let last = open.popLast() {
      counts["\(last.mark)", default: 0] -= 1
      if last.mark == mark { return last.piece }
    }
    return nil
  }

  // MARK: Reading

  private mutating func step() {
    let character = text[position]
    switch character {
    case "\\": readEscape()
    case "`": readCode()
    case "*", "_": readEmphasis(character)
    case "~" where isAt("~~"): readStruck()
    case "!" where isAt("!["):
      begin(.link(isPicture: true), "![")
      position += 2
    case "[":
      begin(.link(isPicture: false), "[")
      position += 1
    case "]": readLinkEnd()
    case "h" where isAt("https://") || isAt("http://"): readAddress()
    default:
      plain.append(character)
      position += 1
    }
  }

  private mutating func readEscape() {
    if let next = character(at: position + 1), next.isASCII, next.isPunctuation || next.isSymbol {
      plain.append(next)
      position += 2
    } else {
      plain.append("\\")
      position += 1
    }
  }

  private mutating func readCode() {
    let length = text[position...].prefix { $0 == "`" }.count
    let start = position + length
    if !unclosed.contains(length) {
      var index = start
      while index < text.count {
        guard text[index] == "`" else {
          index += 1
          continue
        }
        let run = text[index...].prefix { $0 == "`" }.count
        if run == length {
          let code = String(text[start..<index]).replacing("\n", with: " ")
          append("<code>\(HTML(text: code).text)</code>")
          position = index + run
          return
        }
        index += run
      }
      unclosed.insert(length)
    }
    plain += String(repeating: "`", count: length)
    position = start
  }

  private mutating func readEmphasis(_ character: Character) {
    let run = text[position...].prefix { $0 == character }.count
    let (before, after) = (self.character(at: position - 1), self.character(at: position + run))
    let isWord = { (character: Character?) in
      character?.isLetter ?? false || character?.isNumber ?? false
    }
    var canOpen = after.map { !$0.isWhitespace } ?? false
    var canClose = before.map { !$0.isWhitespace } ?? false
    if character == "_" {
      canOpen = canOpen && !isWord(before)
      canClose = canClose && !isWord(after)
    }
    var left = run
    while left > 0 {
      let length = left >= 2 ? 2 : 1
      let tag = length == 2 ? "strong" : "em"
      let mark = Mark.emphasis(character, length: length)
      let written = String(repeating: character, count: length)
      if canClose, let piece = end(mark) {
        append("</\(tag)>")
        pieces[piece] = "<\(tag)>"
      } else if canOpen, run <= 3 {
        begin(mark, written)
      } else {
        plain += written
      }
      left -= length
    }
    position += run
  }

  private mutating func readStruck() {
    if let piece = end(.struck) {
      append("</del>")
      pieces[piece] = "<del>"
    } else {
      begin(.struck, "~~")
    }
    position += 2
  }

  // MARK: Links

  private mutating func readLinkEnd() {
    guard let index = innermostLink else {
      plain.append("]")
      position += 1
      return
    }
    let link = open[index]
    guard let target = target(after: position + 1) else {
      // Stays as it was written.
      open.remove(at: index)
      counts["\(link.mark)", default: 0] -= 1
      plain.append("]")
      position += 1
      return
    }
    _ = end(link.mark)
    append(link.mark == .link(isPicture: true) ? " (picture)</a>" : "</a>")
    pieces[link.piece] = Self.start(of: target.address)
    position = target.end
    // A link in a link would end it.
    for mark in Self.links {
      open.removeAll { $0.mark == mark }
      counts["\(mark)"] = 0
    }
  }

  private static let links = [Mark.link(isPicture: true), .link(isPicture: false)]

  /// The innermost link that is open.
  private var innermostLink: Int? {
    guard Self.links.contains(where: { counts["\($0)", default: 0] > 0 }) else { return nil }
    return open.lastIndex { Self.links.contains($0.mark) }
  }

  /// Reads `(https://…)`, also with a title in quotes.
  private func target(after start: Int) -> (address: String, end: Int)? {
    guard character(at: start) == "(" else { return nil }
    let inside = text[(start + 1)...].prefix(Self.longestAddress)
    var depth = 0
    let end = inside.firstIndex { character in
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      return depth < 0 || character == "\n"
    }
    guard let end, text[end] == ")" else { return nil }
    let words = String(text[(start + 1)..<end]).split(separator: " ", maxSplits: 1)
    guard let address = words.first.flatMap({ Self.webAddress(String($0)) }) else { return nil }
    return (address, end + 1)
  }

  /// Reads an address that is written in the text, up to a space or to punctuation after it.
  private mutating func readAddress() {
    let before = character(at: position - 1)
    var written = String(
      text[position...].prefix(Self.longestAddress).prefix {
        !$0.isWhitespace && !"<>\"`[]*|".contains($0)
      })
    let parentheses = written.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    var unopened = max(0, -parentheses)
    while let last = written.last, ".,:;!?'_~".contains(last) || last == ")" && unopened > 0 {
      if last == ")" { unopened -= 1 }
      written.removeLast()
    }
    guard innermostLink == nil, before.map({ !$0.isLetter && !$0.isNumber }) ?? true,
      let address = Self.webAddress(written)
    else {
      plain.append(text[position])
      position += 1
      return
    }
    append(Self.start(of: address) + HTML(text: written).text + "</a>")
    position += written.count
  }

  private static func webAddress(_ text: String) -> String? {
    guard let url = URL(string: text), url.host()?.isEmpty == false else { return nil }
    return url.webAddress
  }

  private static func start(of address: String) -> String {
    "<a href=\"\(HTML(text: address).text)\" rel=\"nofollow noopener noreferrer external\" target=\"_blank\">"
  }
}
