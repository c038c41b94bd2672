package import Foundation

/// Splits bytes that arrive in chunks into lines, which end with LF, CR or CRLF.
///
/// However the bytes are cut into chunks, each of them is compared once and copied a fixed number
/// of times. A line that ends with CR is complete before the next byte arrives, as a live stream
/// needs.
package struct LineSplitter: ChunkParser {
  static var kind: Client.TooLargeFailure.Limit { .lineSize }
  /// An error for a line that exceeds the limit.
  package struct TooLong: Error {}

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  let limit: Int
  /// Whether CR alone ends a line, too.
  private let endsAtCarriageReturn: Bool
  private var chunk: [UInt8] = []
  /// The index of the first byte in the chunk that belongs to no line yet.
  private var index = 0
  /// The beginning of a line that goes on in the chunk.
  private var partial: [UInt8] = []
  private var isAfterCarriageReturn = false
  private var isFirstLine = true

  /// Creates a splitter.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes of a line, without its end.
  ///   - endsAtCarriageReturn: Whether CR alone ends a line; otherwise a CR, also that of CRLF, belongs to it.
  package init(limit: Int, endsAtCarriageReturn: Bool = true) {
    (self.limit, self.endsAtCarriageReturn) = (limit, endsAtCarriageReturn)
  }

  /// Adds the bytes that arrived.
  package mutating func append(_ data: Data) {
    chunk = Array(chunk[index...]) + data
    index = 0
  }

  /// Returns the next complete line, without its end and without a byte order mark at the start of
  /// the first one; `nil` when more bytes are needed.
  package mutating func next() throws(TooLong) -> [UInt8]? {
    guard index < chunk.count else { return nil }
    if isAfterCarriageReturn {
      isAfterCarriageReturn = false
      if chunk[index] == Self.lineFeed { index += 1 }
    }
    let end = endOfLine()
    guard partial.count + (end - index) <= limit else { throw TooLong() }
    partial += chunk[index..<end]
    guard end < chunk.count else {
      (chunk, index) = ([], 0)
      return nil
    }
    isAfterCarriageReturn = chunk[end] == Self.carriageReturn
    index = end + 1
    return takeLine()
  }

  /// Returns the last line if it has no end; `nil` if there is none.
  package mutating func finish() -> [UInt8]? {
    let line = takeLine()
    return line.isEmpty ? nil : line
  }

  /// Returns the index of the next line end in the chunk, or the number of its bytes.
  private func endOfLine() -> Int {
    // An unsafe buffer, because this loop is most of the work.
    // Without other line ends, the same byte twice.
    let other = endsAtCarriageReturn ? Self.carriageReturn : Self.lineFeed
    return chunk.withUnsafeBufferPointer { bytes in
      var end = index
      while end < bytes.count, bytes[end] != Self.lineFeed, bytes[end] != other {
        end += 1
      }
      return end
    }
  }

  private mutating func takeLine() -> [UInt8] {
    let line = partial
    partial = []
    defer { isFirstLine = false }
    guard isFirstLine, line.starts(with: Self.byteOrderMark) else { return line }
    return Array(line.dropFirst(Self.byteOrderMark.count))
  }
}
