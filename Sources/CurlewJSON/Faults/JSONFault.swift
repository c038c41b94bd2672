package import Foundation

/// The first position where a text is not JSON (RFC 8259), and the reason.
///
/// Foundation's decoder does not report the position.
package struct JSONFault: Error, Equatable {
  /// The maximum depth of nested objects and arrays in Foundation's decoder.
  static let deepestNesting = 512

  /// The index of the invalid byte; the number of bytes if the text ends too early.
  package let offset: Int
  /// The line, from 1; lines end with LF, CR or CRLF.
  package let line: Int
  /// The column in characters, from 1.
  package let column: Int
  /// The reason why the text is invalid at this position.
  package let reason: String

  /// Finds the first fault; returns `nil` if the text is JSON, or is not in UTF-8.
  ///
  /// A comma before a closing bracket, which Foundation accepts, is reported only if there is no other fault.
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
