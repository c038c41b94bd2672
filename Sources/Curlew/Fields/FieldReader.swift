/// A parser of a header field's value: tokens, quoted strings and delimiters (RFC 9110 section 5.6).
package struct FieldReader {
  var rest: Substring.UTF8View

  package init(_ value: String) {
    self.init(value[...])
  }

  init(_ value: Substring) {
    rest = value.utf8
  }

  package var next: UInt8? { rest.first }
  package var isAtEnd: Bool { rest.isEmpty }

  package mutating func skip() {
    rest = rest.dropFirst()
  }

  package mutating func skipSpaces() {
    rest = rest.drop(while: Self.isSpace)
  }

  /// Skips the next character if it is the given character, and returns whether it is.
  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    skip()
    return true
  }

  /// Reads and returns bytes while a condition holds.
  package mutating func text(while isPart: (UInt8) -> Bool) -> String {
    let text = rest.prefix(while: isPart)
    rest = rest[text.endIndex...]
    return String(Substring(text))
  }

  /// Reads a token (RFC 9110 section 5.6.2); returns an empty string if there is none.
  package mutating func token() -> String {
    text { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
      default: "!#$%&'*+-.".utf8.contains(byte)
      }
    }
  }

  /// Reads a whole number of at most fifteen digits; returns `nil` if there are no digits, or more.
  mutating func number() -> Int? {
    let digits = text { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.utf8.count <= 15 ? Int(digits) : nil
  }

  /// Reads a quoted string with backslash escapes; an unterminated string ends with the value.
  package mutating func quotedText() -> String {
    skip()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") {
        if let escaped = rest.popFirst() { bytes.append(escaped) }
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
