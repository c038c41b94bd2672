import Curlew
import Foundation

extension ResponseBody {
  /// Returns the body with its codings decoded on demand, as it is read.
  ///
  /// - Parameters:
  ///   - codings: The codings, in the order in which they are decoded.
  ///   - limit: The maximum decoded size in bytes of each coding except the last, whose output the
  ///     reader limits.
  func decoding(_ codings: [ContentCoding], upTo limit: Int) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      var pull: () async throws -> Data? = { try await pieces.next() }
      for (index, coding) in codings.enumerated() {
        let isLast = index == codings.count - 1
        var layer = Layer(coding, source: pull, limit: isLast ? .max : limit)
        pull = { try await layer.next() }
      }
      return pull
    }
  }

  /// Returns a body that throws an error unless it is empty.
  func unreadable(_ error: Client.TransportFailure) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      return {
        while let piece = try await pieces.next() {
          if !piece.isEmpty { throw error }
        }
        return nil
      }
    }
  }
}

/// The decoder of one of a body's codings.
private struct Layer {
  private var decoder: ContentDecoder
  private let source: () async throws -> Data?
  private let limit: Int
  private var count = 0
  /// The outcome, for a reader that asks again.
  private var end: Result<Data?, any Error>?

  init(_ coding: ContentCoding, source: @escaping () async throws -> Data?, limit: Int) {
    decoder = ContentDecoder(coding)
    self.source = source
    self.limit = limit
  }

  mutating func next() async throws -> Data? {
    if let end { return try end.get() }
    do {
      let piece = try await piece()
      if piece == nil { end = .success(nil) }
      return piece
    } catch {
      end = .failure(error)
      throw error
    }
  }

  private mutating func piece() async throws -> Data? {
    while true {
      // Input that has arrived can decode to much more, which a cancelled reader does not need.
      try Task.checkCancellation()
      if let piece = try decoder.next() {
        count += piece.count
        // A few bytes can decode to gigabytes, which between two codings the reader never counts.
        guard count <= limit else { throw ResponseBody.TooLong() }
        return piece
      }
      guard let input = try await source() else {
        try decoder.finish()
        return nil
      }
      decoder.append(input)
    }
  }
}
