package import Curlew
package import Foundation

/// A streaming decoder of one content coding.
package struct ContentDecoder {
  /// The maximum size of a decoded piece, for any compression ratio: 64 KiB.
  package static let pieceSize = 64 * 1024

  private enum Phase {
    case start
    case inside(Inflater)
    /// After the end of the compressed data; in gzip, another member may follow (RFC 1952 section
    /// 2.2).
    case afterEnd(Inflater)
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
        guard let inflater = try makeInflater() else { return nil }
        phase = .inside(inflater)
      case .afterEnd(let inflater):
        guard let first = input.first else { return nil }
        if coding == .gzip, first == Self.gzipMark {
          inflater.restart()
          phase = .inside(inflater)
        } else {
          phase = .padding(0)
        }
      case .padding(let size):
        let rest = input.drop { Self.padding.contains($0) }
        let total = size + input.count - rest.count
        guard rest.isEmpty, total <= Self.maximumPadding else { throw failure("has data after its end") }
        (phase, input) = (.padding(total), rest)
        return nil
      case .inside(let inflater):
        let step = try step(inflater)
        input = input.dropFirst(step.read)
        if step.isAtEnd { phase = .afterEnd(inflater) }
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
  /// The first byte of gzip data.
  private static let gzipMark: UInt8 = 0x1F

  /// Returns an inflater, or `nil` if there is too little input to detect the format.
  private func makeInflater() throws(Client.TransportFailure) -> Inflater? {
    let start = input.prefix(2)
    let wrapping: Inflater.Wrapping
    switch coding {
    case .gzip:
      if start.isEmpty { return nil }
      wrapping = .gzip
    case .deflate:
      guard start.count == 2, let first = start.first, let second = start.last else { return nil }
      wrapping = Self.isZlibHeader(first, second) ? .zlib : .none
    }
    do {
      return try Inflater(wrapping)
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

  private mutating func step(_ inflater: Inflater) throws(Client.TransportFailure) -> Inflater.Step
  {
    if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.pieceSize) }
    let step = input.withUnsafeBytes { input in
      buffer.withUnsafeMutableBytes { output in
        Result { () throws(Inflater.DataError) in try inflater.inflate(input, into: output) }
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
