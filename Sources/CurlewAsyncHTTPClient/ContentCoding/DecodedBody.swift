import Curlew
import Foundation

extension ResponseBody {
  /// Returns the body with codings undone as it is read: no byte is taken before one is asked for.
  ///
  /// - Parameters:
  ///   - codings: In the order in which they are undone.
  ///   - limit: How many bytes may come out of a coding that is around another one. What comes out
  ///     of the last one is for the reader to count.
  func undoing(_ codings: [ContentCoding], upTo limit: Int) -> ResponseBody {
    ResponseBody {
      var pieces = makeAsyncIterator()
      var pull: () async throws -> Data? = { try await pieces.next() }
      for (place, coding) in codings.enumerated() {
        let isLast = place == codings.count - 1
        var layer = Layer(coding, source: pull, limit: isLast ? .max : limit)
        pull = { try await layer.next() }
      }
      return pull
    }
  }

  /// Returns a body that is an error, unless it is empty.
  func unreadable(_ error: TransportError) -> ResponseBody {
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

/// One coding of a body on its way.
private struct Layer {
  private var decoder: ContentDecoder
  private let source: () async throws -> Data?
  private let limit: Int
  private var count = 0
  /// How it ended: a reader that asks again gets the same response.
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
      // What has come already may make much more than is worth making for nobody.
      try Task.checkCancellation()
      if let piece = try decoder.next() {
        count += piece.count
        // A few bytes can make gigabytes of compressed nothing: the reader would never see them.
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
