package import Foundation

/// The position where a text is not JSON (RFC 8259), and the reason: an underlying error of ``FastJSONDecoder``'s.
package struct JSONFault: Error {
  /// The index of the invalid byte in the text in UTF-8, without a byte order mark; the number of bytes if the text
  /// ends too early.
  package let offset: Int
  /// The number of bytes of the text: an error may come from a text within the text.
  package let length: Int
  /// The reason why the text is invalid at this position.
  package let reason: String

  /// Returns a text in UTF-8 without a byte order mark, to which the offset refers.
  package static func utf8(_ text: Data) -> [UInt8] {
    (try? text.withUnsafeBytes { try TextEncoding.withUTF8($0) { Array($0) } }) ?? []
  }

  /// Returns the line and the column in characters, both from 1; lines end with LF, CR or CRLF.
  ///
  /// It is not stored, because a list may have many faults.
  package func position(in text: [UInt8]) -> (line: Int, column: Int) {
    let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var (line, start) = (1, 0)
    for index in 0..<min(offset, text.count) where text[index] == lf || text[index] == cr {
      let isFirstHalf = text[index] == cr && index + 1 < text.count && text[index + 1] == lf
      if !isFirstHalf { (line, start) = (line + 1, index + 1) }
    }
    return (line, String(decoding: text.prefix(offset).dropFirst(start), as: UTF8.self).count + 1)
  }
}

/// A number that does not fit the expected type: an underlying error of ``FastJSONDecoder``'s.
package struct UnfitNumber: Error {
  package let text: String
}

extension Tape {
  /// Creates the fault of an unexpected byte.
  @inline(never)
  func fault(at offset: Int, expected: StaticString) -> JSONFault {
    let rest = UnsafeRawBufferPointer(start: bytes + offset, count: min(4, byteCount - offset))
    let found = String(decoding: rest, as: UTF8.self).unicodeScalars.first?.escaped(asASCII: true)
    return fault(at: offset, "expected \(expected), found '\(found ?? "")'.")
  }

  /// Creates a fault; at the end of the text, the reason is that it ends too early.
  func fault(at offset: Int, _ reason: String) -> JSONFault {
    JSONFault(
      offset: offset, length: byteCount,
      reason: offset == byteCount ? "the text ends too early." : reason)
  }

  /// Returns the fault of a malformed string.
  ///
  /// - Parameter start: The index after the opening quotation mark.
  func stringFault(at start: Int) -> JSONFault {
    var index = start
    while index < byteCount {
      let first = index
      if bytes.byte(index) == UInt8(ascii: "\\") {
        guard Self.escape(bytes, &index, byteCount) == nil else { continue }
        return fault(at: first, "the escape sequence is invalid.")
      }
      guard bytes.byte(index) >= 0x20 else {
        return fault(at: index, "a control character in a string is not escaped.")
      }
      let length = (1...min(4, byteCount - index)).first { UTF8Check.isValid(bytes + first, $0) }
      guard let length else { return fault(at: index, "the bytes are not UTF-8.") }
      index += length
    }
    return fault(at: byteCount, "")
  }
}
