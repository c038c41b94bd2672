import Foundation

/// How a JSON text is encoded, as its first bytes tell: as UTF-8, or in the ways of RFC 4627 section 3, which
/// `JSONDecoder` reads, too.
struct TextEncoding: Equatable {
  var encoding = String.Encoding.utf8
  /// The number of bytes of the byte order mark.
  var markLength = 0

  static let utf8 = TextEncoding()

  /// Detects the encoding of a text.
  init(of bytes: UnsafeRawBufferPointer) {
    let first = Array(bytes.prefix(4))
    for (mark, encoding) in Self.marks where first.starts(with: mark) {
      self.init(encoding: encoding, markLength: mark.count)
      return
    }
    // The first characters are ASCII: where there are zeros tells how wide a character is.
    let encoding: String.Encoding =
      switch first.map({ $0 != 0 }) {
      case [false, false, false, true]: .utf32BigEndian
      case [true, false, false, false]: .utf32LittleEndian
      case [false, true, false, true], [false, true]: .utf16BigEndian
      case [true, false, true, false], [true, false]: .utf16LittleEndian
      default: .utf8
      }
    self.init(encoding: encoding)
  }

  private init(encoding: String.Encoding = .utf8, markLength: Int = 0) {
    (self.encoding, self.markLength) = (encoding, markLength)
  }

  /// Byte order marks, in the order in which Foundation looks for them.
  private static let marks: [([UInt8], String.Encoding)] = [
    ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFE, 0xFF, 0, 0], .utf32LittleEndian),
    ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ([0xEF, 0xBB, 0xBF], .utf8),
  ]
}
