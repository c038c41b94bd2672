import Foundation

/// Splits bytes that arrive in chunks into lines, which end with LF, CR or CRLF.
///
/// With chunks of any size, each byte is compared once and copied a fixed number of times. A line that ends
/// with CR is returned before the next byte arrives, as live streams require.
struct LineSplitter: ChunkParser {
  static var kind: Client.TooLargeFailure.Limit { .lineSize }
  /// An error for a line that exceeds the limit.
  struct TooLong: Error {}

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  let limit: Int
  /// Whether CR alone ends a line, too.
  private let endsAtCarriageReturn: Bool
  private var chunk: [UInt8] = []
  /// The index of the first byte in the chunk that belongs to no line yet.
  private var index = 0
  /// The beginning of a line that continues in the chunk.
  private var partial: [UInt8] = []
  private var isAfterCarriageReturn = false
  private var isFirstLine = true

  /// Creates a splitter.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes of a line, without its end.
  ///   - endsAtCarriageReturn: Whether CR alone ends a line; otherwise a CR belongs to the line, even in CRLF.
  init(limit: Int, endsAtCarriageReturn: Bool = true) {
    (self.limit, self.endsAtCarriageReturn) = (limit, endsAtCarriageReturn)
  }

  /// Appends received bytes.
  mutating func append(_ data: Data) {
    chunk = Array(chunk[index...]) + data
    index = 0
  }

  /// Returns the next complete line, without its end and without a byte order mark at the start of the first
  /// line; `nil` when more bytes are needed.
  mutating func next() throws(TooLong) -> [UInt8]? {
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

  /// Returns an unterminated last line; `nil` if there is none.
  mutating func finish() -> [UInt8]? {
    let line = takeLine()
    return line.isEmpty ? nil : line
  }

  /// Returns the index of the next line ending in the chunk, or the chunk's size.
  private func endOfLine() -> Int {
    // An unsafe buffer, because this loop is most of the work. If only LF ends a line, both comparisons use
    // LF.
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
