package import Curlew
package import Foundation

/// A streaming decoder of one content coding.
package struct ContentDecoder {
  /// The maximum size of a decoded piece, for any compression ratio: 64 KiB.
  package static let pieceSize = 64 * 1024

  private enum Phase {
    case start
    case inside(any Decompressor)
    /// After the end of the compressed data; another gzip member (RFC 1952 section 2.2) or Zstandard frame may follow.
    case afterEnd(any Decompressor)
    /// In zeros or white space after the end, which servers add and gzip(1) ignores; the number of bytes.
    case padding(Int)
  }

  private let coding: ContentCoding
  private var phase = Phase.start
  private var input = Data()
  /// The output buffer, allocated once.
  private var buffer: [UInt8] = []

  package init(_ coding: ContentCoding) {
    self.coding = coding
  }

  /// Appends input; called when ``next()`` has returned `nil`.
  package mutating func append(_ data: Data) {
    if input.isEmpty { input = data } else { input.append(data) }
  }

  /// Returns the next decoded piece, or `nil` if more input is needed.
  package mutating func next() throws(Client.TransportFailure) -> Data? {
    while true {
      switch phase {
      case .start:
        guard let decompressor = try makeDecompressor() else { return nil }
        phase = .inside(decompressor)
      case .afterEnd(let decompressor):
        guard let first = input.first else { return nil }
        phase = decompressor.continues(with: first) ? .inside(decompressor) : .padding(0)
      case .padding(let size):
        let rest = input.drop { Self.padding.contains($0) }
        let total = size + input.count - rest.count
        guard rest.isEmpty, total <= Self.maximumPadding else {
          throw failure("has data after its end")
        }
        (phase, input) = (.padding(total), rest)
        return nil
      case .inside(let decompressor):
        let step = try step(decompressor)
        input = input.dropFirst(step.read)
        if step.isAtEnd { phase = .afterEnd(decompressor) }
        if step.written > 0 { return Data(buffer[..<step.written]) }
        if !step.isAtEnd {
          guard step.read > 0 || input.isEmpty else { throw failure("makes no progress") }
          if input.isEmpty { return nil }
        }
      }
    }
  }

  /// Ends the input.
  ///
  /// - Throws: An error if compressed data is missing. An empty body counts as unencoded.
  package func finish() throws(Client.TransportFailure) {
    switch phase {
    case .start where input.isEmpty, .afterEnd where input.isEmpty, .padding: break
    case .start, .inside, .afterEnd: throw failure("is cut off")
    }
  }

  /// The maximum size of the padding after the end in bytes.
  private static let maximumPadding = 64 * 1024
  private static let padding: Set<UInt8> = [0, 0x09, 0x0A, 0x0D, 0x20]

  /// Returns a decompressor, or `nil` if there is too little input to detect the format.
  private func makeDecompressor() throws(Client.TransportFailure) -> (any Decompressor)? {
    let start = input.prefix(2)
    guard let first = start.first, let second = start.last, coding != .deflate || start.count == 2
    else { return nil }
    do throws(Inflater.DataError) {
      switch coding {
      case .gzip: return try Inflater(.gzip)
      case .deflate: return try Inflater(Self.isZlibHeader(first, second) ? .zlib : .none)
      #if canImport(CCurlewBrotli)
        case .brotli: return try BrotliDecompressor()
      #endif
      #if canImport(CCurlewZstandard)
        case .zstandard: return try ZstandardDecompressor()
      #endif
      }
    } catch {
      throw failure("can't be decoded (\(error.reason))")
    }
  }

  /// Returns whether a body begins with a zlib header (RFC 1950 section 2.2).
  ///
  /// Raw DEFLATE could only begin like this with a stored block whose unused bits are not zero.
  private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 + Int(second)).isMultiple(of: 31)
  }

  private mutating func step(
    _ decompressor: any Decompressor
  ) throws(Client.TransportFailure) -> Inflater.Step {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.pieceSize) }
    let step = input.withUnsafeBytes { input in
      buffer.withUnsafeMutableBytes { output in
        Result { () throws(Inflater.DataError) in try decompressor.decompress(input, into: output) }
      }
    }
    do {
      return try step.get()
    } catch {
      throw failure("is damaged (\(error.reason))")
    }
  }

  private func failure(_ what: String) -> Client.TransportFailure {
    Client.TransportFailure(
      .contentCoding, reason: "the body's content coding (\(coding.rawValue)) \(what)")
  }
}
