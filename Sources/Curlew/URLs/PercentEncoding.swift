/// An encoding that percent-encodes the UTF-8 bytes of texts, except for a set of characters (RFC 3986
/// section 2.1).
package struct PercentEncoding {
  /// A bit set of the ASCII characters that are not encoded.
  private let allowed: (low: UInt64, high: UInt64)
  /// Whether `%` followed by two hexadecimal digits is kept.
  private let keepsEscapes: Bool

  /// The encoding for a single value: it keeps only RFC 3986's unreserved characters.
  static let unreserved = PercentEncoding(keeping: "", escapes: false)
  /// The encoding for paths: it keeps all characters that a path may contain, including slashes and
  /// escapes.
  package static let pathText = PercentEncoding(keeping: "/!$&'()*+,;=:@", escapes: true)

  /// The encoding for URLs and references: it keeps all characters that they may contain, including
  /// escapes.
  static let reference = PercentEncoding(keeping: "/?#[]!$&'()*+,;=:@", escapes: true)

  private init(keeping others: String, escapes: Bool) {
    let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    var allowed: (low: UInt64, high: UInt64) = (0, 0)
    for byte in (alphanumerics + others).utf8 {
      if byte < 64 {
        allowed.low |= 1 << UInt64(byte)
      } else {
        allowed.high |= 1 << UInt64(byte - 64)
      }
    }
    self.allowed = allowed
    keepsEscapes = escapes
  }

  /// Appends the encoded form of a text.
  package func append(_ text: String, to result: inout String) {
    // Nearly all texts need no escape, and appending a whole text is many times faster.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where !isAllowed(byte) { return false }
      return true
    }
    if isPlain ?? text.utf8.allSatisfy(isAllowed) {
      result += text
      return
    }
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      if isAllowed(byte) || (keepsEscapes && Self.isEscape(bytes, at: index)) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%"
        result.unicodeScalars.append(Self.digit(byte >> 4))
        result.unicodeScalars.append(Self.digit(byte & 0xF))
      }
    }
  }

  @inline(__always)
  private func isAllowed(_ byte: UInt8) -> Bool {
    if byte < 64 { return allowed.low & (1 << UInt64(byte)) != 0 }
    return byte < 128 && allowed.high & (1 << UInt64(byte - 64)) != 0
  }

  private static func isEscape(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count
      && Character(Unicode.Scalar(bytes[index + 1])).isHexDigit
      && Character(Unicode.Scalar(bytes[index + 2])).isHexDigit
  }

  /// Returns the decoded bytes of a text; many servers treat `+` as a space in queries.
  package static func decoded(_ text: Substring, plusIsSpace: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      if byte == UInt8(ascii: "%"), digits.count == 2 {
        bytes.append(UInt8(digits[0] << 4 | digits[1]))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return bytes
  }

  private static func digit(_ value: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
  }
}
