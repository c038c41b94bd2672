package import Foundation

/// The first position at which a text is not JSON (RFC 8259), and the reason.
///
/// Foundation's decoder says only that a text is invalid, not where.
package struct JSONFault: Error, Equatable {
  /// How deeply Foundation's decoder lets objects and arrays be nested.
  static let deepestNesting = 512

  /// The index of the byte at fault; the number of bytes where the text ends too early.
  let offset: Int
  /// The line, from 1; it ends with LF, CR or both.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int
  /// What is wrong there.
  package let reason: String

  /// Finds the first fault; `nil` when the text is JSON, or is not in UTF-8.
  ///
  /// A comma before a closing bracket, which Foundation accepts, is reported when there is no other
  /// fault.
  package init?(in data: Data) {
    let bytes = [UInt8](data)
    // A NUL among the first bytes means UTF-16 or UTF-32, as does a byte order mark with 0xFE.
    guard !bytes.prefix(4).contains(0), !bytes.prefix(2).contains(0xFE) else { return nil }
    guard let fault = JSONScanner.firstFault(in: bytes) else { return nil }
    let (line, column) = Self.position(of: fault.offset, in: bytes)
    (self.line, self.column) = (line, column)
    (offset, reason) = (fault.offset, fault.reason)
  }

  private static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var (line, start) = (1, bytes.starts(with: JSONScanner.byteOrderMark) ? 3 : 0)
    for index in 0..<offset {
      let isBreak = bytes[index] == lf || bytes[index] == cr
      let isFirstHalf = bytes[index] == cr && index + 1 < bytes.count && bytes[index + 1] == lf
      if isBreak, !isFirstHalf { (line, start) = (line + 1, index + 1) }
    }
    let before = start < offset ? String(decoding: bytes[start..<offset], as: UTF8.self) : ""
    return (line, before.count + 1)
  }
}
