import Foundation

extension MarkdownText {
  /// The maximum length in bytes of a link's destination and title.
  private static let maximumAddressLength = 2_000

  /// Parses `(https://…)`, with an optional title in quotes.
  mutating func target(after start: Int) -> (address: String, end: Int)? {
    guard byte(start) == UInt8(ascii: "(") else { return nil }
    if parentheses == nil { parentheses = Self.ends(ofParenthesesIn: bytes) }
    guard let end = parentheses?[start], end > 0, end - start <= Self.maximumAddressLength else {
      return nil
    }
    var first = start + 1
    while bytes[first] == UInt8(ascii: " ") { first += 1 }
    var last = first
    while last < end, bytes[last] != UInt8(ascii: " ") { last += 1 }
    guard let address = webAddress(first, last) else { return nil }
    return (address, end + 1)
  }

  /// Returns the index of the matching `)` in the same line for each `(`; 0 for none.
  private static func ends(ofParenthesesIn bytes: [UInt8]) -> [Int] {
    var ends = [Int](repeating: 0, count: bytes.count)
    var open: [Int] = []
    for index in 0..<bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("): open.append(index)
      case UInt8(ascii: ")"): if let start = open.popLast() { ends[start] = index }
      case UInt8(ascii: "\n"): open.removeAll(keepingCapacity: true)
      default: break
      }
    }
    return ends
  }

  /// Parses a bare URL, up to white space or trailing punctuation.
  mutating func readAddress() {
    guard bytes.has(Self.http, at: position) || bytes.has(Self.https, at: position),
      attempts > 0, !isInLink,
      !(bytes.character(before: position).map { $0.isLetter || $0.isNumber } ?? false)
    else {
      position += 1
      return
    }
    let end = endOfAddress
    guard let address = webAddress(position, end) else {
      position += 1
      return
    }
    let text = Markdown.Part(bytes).part(from: position, to: end).html
    append(Self.start(of: address) + text + "</a>", insteadOf: end - position)
  }

  private static let http = Array("http://".utf8)
  private static let https = Array("https://".utf8)

  /// Whether an ASCII character ends a bare URL.
  private static let isEnd: [Bool] = (0...127).map { (byte: UInt8) in
    "\t\n\u{B}\u{C}\r <>\"`[]*|".utf8.contains(byte)
  }

  /// The end of the URL at the position.
  private var endOfAddress: Int {
    let isEnd = Self.isEnd
    var end = position
    var unopened = 0
    while end < bytes.count, end - position < Self.maximumAddressLength {
      let byte = bytes[end]
      if byte >= 0x80 {
        if bytes.lengthOfSpace(at: end) > 0 { break }
      } else if isEnd[Int(byte)], !bytes.isJoined(at: end) {
        break
      }
      if byte == UInt8(ascii: "(") { unopened -= 1 }
      if byte == UInt8(ascii: ")") { unopened += 1 }
      end += 1
    }
    // Avoids an end within a multi-byte character.
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
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

  /// Returns the web URL between two indices.
  private mutating func webAddress(_ start: Int, _ end: Int) -> String? {
    guard end > start, bytes[start] | 0x20 == UInt8(ascii: "h"), attempts > 0 else { return nil }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let url = URL(string: text), url.host()?.isEmpty == false, let address = url.webAddress
    else {
      attempts -= end - start
      return nil
    }
    return address
  }

  static func start(of address: String) -> String {
    "<a href=\"\(Markdown.Part(address).html)\""
      + " rel=\"nofollow noopener noreferrer external\" target=\"_blank\">"
  }
}
