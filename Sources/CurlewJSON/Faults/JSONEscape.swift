/// The escape sequences of JSON strings (RFC 8259 section 7).
package enum JSONEscape {
  private static let letters = Array("\"\\/bfnrt".utf8)
  private static let meanings = Array("\"\\/\u{8}\u{C}\n\r\t".utf8)

  /// Decodes the escape sequence at the start of some bytes; returns its UTF-8 bytes and its length, or
  /// `nil` if it is invalid.
  package static func meaning(of rest: ArraySlice<UInt8>) -> ([UInt8], Int)? {
    guard let letter = rest.dropFirst().first else { return nil }
    if let index = letters.firstIndex(of: letter) { return ([meanings[index]], 2) }
    guard letter == UInt8(ascii: "u"), let unit = hexadecimal(rest.dropFirst(2).prefix(4), 4) else {
      return nil
    }
    let second = rest.dropFirst(6)
    if 0xD800...0xDBFF ~= unit, second.starts(with: "\\u".utf8),
      let low = hexadecimal(second.dropFirst(2).prefix(4), 4), 0xDC00...0xDFFF ~= low
    {
      return (Array(String(decoding: [unit, low], as: UTF16.self).utf8), 12)
    }
    return (Array(String(decoding: [unit], as: UTF16.self).utf8), 6)
  }

  /// Parses a hexadecimal number; returns `nil` if there are fewer than `count` digits, or invalid digits.
  package static func hexadecimal(_ digits: ArraySlice<UInt8>, _ count: Int) -> UInt16? {
    guard digits.count == count else { return nil }
    return digits.reduce(0) { number, digit in
      guard let number, digit < 0x80 else { return nil }
      return Character(Unicode.Scalar(digit)).hexDigitValue.map { number << 4 | UInt16($0) }
    }
  }
}
