import Curlew
import CurlewJSON

/// A text, optionally with escapes decoded, that maps its bytes to the original text.
struct SecretView {
  let bytes: [UInt8]
  let originalCount: Int
  /// The index of each byte's escape in the original text, followed by the original text's end.
  ///
  /// Empty for the original text.
  private let starts: [UInt32]

  private static let entities: [(text: [UInt8], meaning: UInt8)] = [
    ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
    ("&quot;", UInt8(ascii: "\"")), ("&#34;", UInt8(ascii: "\"")), ("&#39;", UInt8(ascii: "'")),
    ("&#x27;", UInt8(ascii: "'")), ("&apos;", UInt8(ascii: "'")),
  ].map { (text: String, meaning: UInt8) in (Array(text.utf8), meaning) }

  /// Creates a view of an unchanged text.
  init(_ text: [UInt8]) {
    (bytes, starts, originalCount) = (text, [], text.count)
  }

  private init(_ bytes: [UInt8], _ starts: [UInt32], _ originalCount: Int) {
    (self.bytes, self.starts, self.originalCount) = (bytes, starts, originalCount)
  }

  /// Returns the range of the original text for a range of bytes.
  func origin(of range: Range<Int>) -> Range<Int> {
    guard !starts.isEmpty else { return range }
    // Bytes of the same escaped character have the same start.
    var end = range.upperBound
    while end < bytes.count, starts[end] == starts[range.upperBound - 1] { end += 1 }
    return Int(starts[range.lowerBound])..<Int(starts[end])
  }

  /// Returns the text with its escapes decoded; `nil` if it has none.
  ///
  /// - Parameter isCut: Whether the text may be truncated inside an escape. A truncated escape is omitted.
  func unescaped(isCut: Bool) -> SecretView? {
    guard bytes.contains(where: Self.beginsEscape) else { return nil }
    var (result, origins, index) = ([UInt8](), [UInt32](), 0)
    result.reserveCapacity(bytes.count)
    origins.reserveCapacity(bytes.count + 1)
    var isChanged = false
    while index < bytes.count {
      let start = starts.isEmpty ? UInt32(truncatingIfNeeded: index) : starts[index]
      let byte = bytes[index]
      if Self.beginsEscape(byte) {
        if let (meaning, length) = escape(at: index) {
          result += meaning
          origins += meaning.map { _ in start }
          index += length
          isChanged = true
          continue
        }
        if isCut, bytes.count - index < 12, isBeginningOfEscape(bytes[index...]) { break }
      }
      result.append(byte)
      origins.append(start)
      index += 1
    }
    origins.append(UInt32(truncatingIfNeeded: originalCount))
    return isChanged || result.count < bytes.count
      ? SecretView(result, origins, originalCount) : nil
  }

  private static func beginsEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "&")
  }

  /// Returns the decoded escape at an index, and its length; `nil` if there is none.
  private func escape(at index: Int) -> ([UInt8], Int)? {
    let rest = bytes[index...]
    switch rest.first {
    case UInt8(ascii: "%"):
      return JSONEscape.hexadecimal(rest.dropFirst().prefix(2), 2).map { ([UInt8($0)], 3) }
    case UInt8(ascii: "&"):
      return Self.entities.first { rest.starts(with: $0.text) }
        .map { ([$0.meaning], $0.text.count) }
    default: return JSONEscape.meaning(of: rest)
    }
  }

  /// Returns whether the trailing bytes are the beginning of an escape.
  private func isBeginningOfEscape(_ rest: ArraySlice<UInt8>) -> Bool {
    let digits = rest.dropFirst(rest.dropFirst().first == UInt8(ascii: "u") ? 2 : 1)
    let isNumber = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    switch rest.first {
    case UInt8(ascii: "%"): return rest.count < 3 && isNumber
    case UInt8(ascii: "\\"): return rest.count < 6 && isNumber
    default: return Self.entities.contains { $0.text.starts(with: rest) }
    }
  }
}
