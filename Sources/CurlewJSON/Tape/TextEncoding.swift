import Foundation

/// The encoding of a JSON text: UTF-8, UTF-16 or UTF-32, with or without a byte order mark.
struct TextEncoding {
  /// The number of bytes of a code unit.
  private var unitSize = 1
  private var isBigEndian = false
  private var markLength = 0

  private static let marks: [(bytes: [UInt8], unitSize: Int, isBigEndian: Bool)] = [
    // Before UTF-16's, because the marks of both begin with the same bytes.
    ([0xFF, 0xFE, 0, 0], 4, false), ([0, 0, 0xFE, 0xFF], 4, true),
    ([0xFF, 0xFE], 2, false), ([0xFE, 0xFF], 2, true), ([0xEF, 0xBB, 0xBF], 1, false),
  ]

  /// Detects the encoding of a text from its mark, or from the zeros of its first character, which is ASCII in JSON.
  init(of text: UnsafeRawBufferPointer) {
    let start = Array(text.prefix(4))
    if let mark = Self.marks.first(where: { start.starts(with: $0.bytes) }) {
      (unitSize, isBigEndian, markLength) = (mark.unitSize, mark.isBigEndian, mark.bytes.count)
    } else if start.starts(with: [0]) {
      (unitSize, isBigEndian) = (start.starts(with: [0, 0]) ? 4 : 2, true)
    } else if start.dropFirst().starts(with: [0]) {
      unitSize = start.dropFirst().starts(with: [0, 0, 0]) ? 4 : 2
    }
  }

  /// Calls a function with a text in UTF-8, without its mark.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a malformed text in UTF-16 or UTF-32. Text in UTF-8 is not checked.
  static func withUTF8<Value>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Value
  ) throws -> Value {
    let encoding = TextEncoding(of: text)
    let rest = UnsafeRawBufferPointer(rebasing: text.dropFirst(encoding.markLength))
    if encoding.unitSize == 1 { return try body(rest) }
    guard rest.count % encoding.unitSize == 0,
      let bytes = encoding.unitSize == 2
        ? encoding.transcoded(rest, from: UTF16.self) : encoding.transcoded(rest, from: UTF32.self)
    else { throw DecodingError.invalidJSON }
    return try bytes.withUnsafeBytes(body)
  }

  /// Returns the bytes of a text in UTF-8; `nil` if it is malformed.
  private func transcoded<Codec: UnicodeCodec>(
    _ text: UnsafeRawBufferPointer, from codec: Codec.Type
  ) -> [UInt8]? where Codec.CodeUnit: FixedWidthInteger {
    let units = stride(from: 0, to: text.count, by: unitSize).lazy.map { index in
      let unit = text.loadUnaligned(fromByteOffset: index, as: Codec.CodeUnit.self)
      return isBigEndian ? Codec.CodeUnit(bigEndian: unit) : Codec.CodeUnit(littleEndian: unit)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    let isMalformed = transcode(
      units.makeIterator(), from: codec, to: UTF8.self, stoppingOnError: true
    ) { bytes.append($0) }
    return isMalformed ? nil : bytes
  }
}
