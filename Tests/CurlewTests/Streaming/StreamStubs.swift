import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

extension StubResponse {
  /// Responds with a body in these chunks, which then ends or fails.
  static func chunks(
    _ chunks: [Data], contentType: String = "text/plain", error: (any Error)? = nil,
    status: HTTPResponse.Status = .ok, _ headerFields: HTTPFields = [:]
  ) -> StubResponse {
    var headerFields = headerFields
    headerFields[.contentType] = contentType
    let head = HTTPResponse(status: status, headerFields: headerFields)
    return .responding { _ in
      IncomingResponse(
        head: head,
        body: ResponseBody {
          var rest = chunks[...]
          return {
            if let chunk = rest.popFirst() { return chunk }
            if let error { throw error }
            return nil
          }
        })
    }
  }

  /// Responds with text in one chunk.
  static func text(
    _ text: String, contentType: String = "text/plain", error: (any Error)? = nil,
    status: HTTPResponse.Status = .ok, _ headerFields: HTTPFields = [:]
  ) -> StubResponse {
    .chunks(
      [Data(text.utf8)], contentType: contentType, error: error, status: status, headerFields)
  }

  /// Responds with an event stream in one chunk.
  static func events(_ text: String, error: (any Error)? = nil) -> StubResponse {
    .text(text, contentType: "text/event-stream", error: error)
  }
}

/// A body that a test sends in pieces, and that reports whether its transfer has ended.
///
/// It ends without an error when its task is cancelled, like an `AsyncThrowingStream`.
final class LiveBody: Sendable {
  private struct State {
    var pieces: AsyncThrowingStream<Data, any Error>.Continuation?
    /// The pieces sent before the request.
    var early: [Data] = []
    var count = 0
    var hasEnded = false
  }

  private let state = Mutex(State())
  private let contentType: String
  private let errorWhenStopped: (any Error)?

  /// - Parameter errorWhenStopped: The error that a cancelled body throws; `nil` for no error.
  init(contentType: String = "text/event-stream", errorWhenStopped: (any Error)? = nil) {
    self.contentType = contentType
    self.errorWhenStopped = errorWhenStopped
  }

  /// Whether the reader has released the body or stopped reading.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }
  /// The number of bodies that were started.
  var count: Int { state.withLock { $0.count } }

  var response: StubResponse {
    .responding { [self] _ in
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
      continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.hasEnded = true } }
      state.withLock { state in
        for piece in state.early { continuation.yield(piece) }
        state = State(pieces: continuation, count: state.count + 1)
      }
      return IncomingResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentType: contentType]),
        body: ResponseBody { [errorWhenStopped] in
          var pieces = stream.makeAsyncIterator()
          return {
            let piece = try await pieces.next(isolation: #isolation)
            if piece == nil, Task.isCancelled, let errorWhenStopped { throw errorWhenStopped }
            return piece
          }
        })
    }
  }

  /// Sends a piece of the newest body.
  func send(_ text: String) {
    let piece = Data(text.utf8)
    state.withLock { state in
      if let pieces = state.pieces { pieces.yield(piece) } else { state.early.append(piece) }
    }
  }

  /// Ends the newest body.
  func finish() { state.withLock { $0.pieces }?.finish() }
}

extension AsyncSequence where Failure == Client.Error {
  /// Returns the first elements, and the error that ended them, if any.
  func collect(_ count: Int = .max) async -> (elements: [Element], error: Client.Error?) {
    var elements: [Element] = []
    do throws(Client.Error) {
      for try await element in self {
        elements.append(element)
        if elements.count == count { break }
      }
      return (elements, nil)
    } catch {
      return (elements, error)
    }
  }
}

extension Data {
  /// Returns the data in chunks of the given size.
  func cut(every size: Int) -> [Data] {
    stride(from: 0, to: count, by: Swift.min(size, Swift.max(1, count))).map { start in
      Data(dropFirst(start).prefix(size))
    }
  }
}

extension SeededGenerator {
  /// Returns the data in chunks of random sizes.
  mutating func cut(_ data: Data) -> [Data] {
    var (chunks, rest) = ([Data](), data[...])
    while !rest.isEmpty {
      let size = pick(1...pick([1, 2, 7, 64, 1_000]))
      chunks.append(Data(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return chunks
  }
}
