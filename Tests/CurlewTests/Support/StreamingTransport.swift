import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

/// A transport as its users write them: a head at once, and a body that is an `AsyncThrowingStream`,
/// which ends without an error when its task is cancelled.
final class StreamingTransport: Transport {
  private let pieces = Mutex<[AsyncThrowingStream<Data, any Error>.Continuation]>([])
  private let errorWhenStopped: (any Error)?
  private let headerFields: HTTPFields

  /// - Parameter errorWhenStopped: What a body throws when it is cancelled; `nil` for nothing.
  init(errorWhenStopped: (any Error)? = nil, headerFields: HTTPFields = [:]) {
    self.errorWhenStopped = errorWhenStopped
    self.headerFields = headerFields
  }

  /// How many bodies were begun.
  var bodies: Int { pieces.withLock { $0.count } }

  /// Sends a piece of the newest body.
  func send(_ text: String) { _ = pieces.withLock { $0.last?.yield(Data(text.utf8)) } }

  /// Ends the newest body.
  func finish() { pieces.withLock { $0.last?.finish() } }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    pieces.withLock { $0.append(continuation) }
    let error = errorWhenStopped
    return IncomingResponse(
      head: HTTPResponse(status: .ok, headerFields: headerFields),
      body: ResponseBody {
        var iterator = stream.makeAsyncIterator()
        return {
          let piece = try await iterator.next(isolation: #isolation)
          if piece == nil, Task.isCancelled, let error { throw error }
          return piece
        }
      })
  }
}
