package import Curlew
package import Foundation

/// Undoes one content coding, piece by piece: takes what has come, gives what that makes.
package struct ContentDecoder {
  /// How many bytes a piece has at most: 64 KiB, however much is compressed in how little.
  package static let pieceSize = 64 * 1024

  private enum Place {
    case start
    case inside(Inflater)
    /// After the end of what was compressed; in gzip, more may follow (RFC 1952 section 2.2).
    case afterEnd(Inflater)
  }

  private let coding: ContentCoding
  private var place = Place.start
  private var input = Data()
  /// Where pieces are made; kept, so that memory is taken once.
  private var room: [UInt8] = []

  package init(_ coding: ContentCoding) {
    self.coding = coding
  }

  /// Takes what comes next, once ``next()`` has nothing more to give.
  package mutating func append(_ data: Data) {
    if input.isEmpty { input = data } else { input.append(data) }
  }

  /// Returns the next piece; `nil` when that needs more input.
  package mutating func next() throws(TransportError) -> Data? {
    while true {
      switch place {
      case .start:
        guard let inflater = try makeInflater() else { return nil }
        place = .inside(inflater)
      case .afterEnd(let inflater):
        guard let first = input.first else { return nil }
        guard coding == .gzip, first == Self.gzipMark else {
          throw failure("goes on after its end")
        }
        inflater.restart()
        place = .inside(inflater)
      case .inside(let inflater):
        let step = try step(inflater)
        input = input.dropFirst(step.read)
        if step.isAtEnd { place = .afterEnd(inflater) }
        if step.written > 0 { return Data(room[..<step.written]) }
        if !step.isAtEnd {
          guard step.read > 0 || input.isEmpty else { throw failure("does not go on") }
          if input.isEmpty { return nil }
        }
      }
    }
  }

  /// Says that nothing more comes.
  ///
  /// - Throws: When it should. A body without a byte is taken for one that was not coded.
  package func finish() throws(TransportError) {
    switch place {
    case .start where input.isEmpty, .afterEnd where input.isEmpty: break
    case .start, .inside, .afterEnd: throw failure("is cut off")
    }
  }

  /// The first byte of gzip.
  private static let gzipMark: UInt8 = 0x1F

  /// Returns `nil` when there is too little to tell how to begin.
  private func makeInflater() throws(TransportError) -> Inflater? {
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
      throw failure("can't be undone (\(error.reason))")
    }
  }

  /// Whether a body begins with a header of zlib (RFC 1950 section 2.2).
  ///
  /// Bare DEFLATE could only begin like this with a stored block whose unused bits are not zero.
  private static func isZlibHeader(_ first: UInt8, _ second: UInt8) -> Bool {
    first & 0x0F == 8 && first >> 4 <= 7 && (Int(first) << 8 + Int(second)).isMultiple(of: 31)
  }

  private mutating func step(_ inflater: Inflater) throws(TransportError) -> Inflater.Step {
    if room.isEmpty { room = [UInt8](repeating: 0, count: Self.pieceSize) }
    let step = input.withUnsafeBytes { input in
      room.withUnsafeMutableBytes { room in
        Result { () throws(Inflater.DataError) in try inflater.inflate(input, into: room) }
      }
    }
    do {
      return try step.get()
    } catch {
      throw failure("is damaged (\(error.reason))")
    }
  }

  private func failure(_ what: String) -> TransportError {
    TransportError(
      .contentCoding, reason: "the body's content coding (\(coding.rawValue)) \(what)")
  }
}
