import Foundation

extension MarkdownText {
  /// The maximum length in bytes of a link's destination and title.
  private static let maximumAddressLength = 2_000

  /// Parses `(https://…)` in a line, with an optional title in quotes.
  mutating func target(after start: Int) -> (address: String, end: Int)? {
    guard start < bytes.endIndex, bytes[start] == UInt8(ascii: "("), attempts > 0 else {
      return nil
    }
    var (end, depth) = (start + 1, 1)
    while depth > 0 {
      guard end < bytes.endIndex, bytes[end] != UInt8(ascii: "\n"),
        end - start <= Self.maximumAddressLength
      else {
        attempts -= end - start
        return nil
      }
      if bytes[end] == UInt8(ascii: "(") { depth += 1 }
      if bytes[end] == UInt8(ascii: ")") { depth -= 1 }
      end += 1
    }
    let words = bytes[start + 1..<end - 1].drop { $0 == UInt8(ascii: " ") }
    return webAddress(words.prefix { $0 != UInt8(ascii: " ") }).map { ($0, end) }
  }

  /// Parses a bare URL, up to white space or trailing punctuation.
  mutating func readAddress() {
    let isAddress = bytes.has("http://", at: position) || bytes.has("https://", at: position)
    guard isAddress, attempts > 0, !isInLink, !isAfterWord,
      case let text = bytes[position..<endOfAddress], let address = webAddress(text)
    else {
      position += 1
      return
    }
    append(Self.start(of: address) + text.html + "</a>", insteadOf: text.count)
  }

  /// Whether an ASCII character ends a bare URL.
  private static let isEnd: [Bool] = (0...127).map { (byte: UInt8) in
    "\t\n\u{B}\u{C}\r <>\"`[]*|".utf8.contains(byte)
  }

  /// The end of the URL at the position.
  private var endOfAddress: Int {
    let isEnd = Self.isEnd
    var end = position
    var unopened = 0
    while end < bytes.endIndex, end - position < Self.maximumAddressLength {
      let byte = bytes[end]
      if byte < 0x80, isEnd[Int(byte)] { break }
      if byte == UInt8(ascii: "(") { unopened -= 1 }
      if byte == UInt8(ascii: ")") { unopened += 1 }
      end += 1
    }
    // Avoids an end within a multi-byte character.
    while end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    while end > position {
      if bytes[end - 1] == UInt8(ascii: ")"), unopened > 0 {
        unopened -= 1
      } else if !".,:;!?'_~".utf8.contains(bytes[end - 1]) {
        break
      }
      end -= 1
    }
    return end
  }

  /// Returns a web URL; `nil` for any other text.
  private mutating func webAddress(_ bytes: MarkdownBytes) -> String? {
    guard let first = bytes.first, first | 0x20 == UInt8(ascii: "h"), attempts > 0 else {
      return nil
    }
    guard let url = URL(string: bytes.text), url.host()?.isEmpty == false,
      let address = url.webAddress
    else {
      attempts -= bytes.count
      return nil
    }
    return address
  }

  static func start(of address: String) -> String {
    "<a href=\"\(MarkdownBytes(address).html)\""
      + " rel=\"nofollow noopener noreferrer external\" target=\"_blank\">"
  }
}
