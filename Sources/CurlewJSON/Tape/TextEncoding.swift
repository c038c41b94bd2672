import Foundation

/// How a JSON text is encoded, as its first bytes tell: as UTF-8, or in the ways of RFC 4627 section 3, which
/// `JSONDecoder` reads, too.
struct TextEncoding {
  let encoding: String.Encoding
  /// The number of bytes of the byte order mark.
  let markLength: Int

  /// Detects the encoding of a text.
  init(of bytes: UnsafeRawBufferPointer) {
    let first = Array(bytes.prefix(4))
    let found = Self.marks.first { first.starts(with: $0.0) }
    markLength = found?.0.count ?? 0
    // The first characters are ASCII: where there are zeros tells how wide a character is.
    encoding =
      switch (found?.1, first.map { $0 != 0 }) {
      case (let marked?, _): marked
      case (_, [false, false, false, true]): .utf32BigEndian
      case (_, [true, false, false, false]): .utf32LittleEndian
      case (_, [false, true, false, true]), (_, [false, true]): .utf16BigEndian
      case (_, [true, false, true, false]), (_, [true, false]): .utf16LittleEndian
      default: .utf8
      }
  }

  /// Byte order marks, in the order in which Foundation looks for them.
  private static let marks: [([UInt8], String.Encoding)] = [
    ([0, 0, 0xFE, 0xFF], .utf32BigEndian), ([0xFE, 0xFF, 0, 0], .utf32LittleEndian),
    ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ([0xEF, 0xBB, 0xBF], .utf8),
  ]
}
