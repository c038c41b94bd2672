import Curlew
import CurlewTesting
import HTTPTypes
import TestSupport
import Testing

/// Lets a test inspect and change responses as they arrive.
struct Observing: Middleware {
  typealias Observe = @Sendable (inout IncomingResponse) -> Void

  let observe: Observe

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    var response = try await next(request)
    observe(&response)
    return response
  }
}

extension IncomingResponse {
  /// Opens a gate when the first piece of the body is read.
  mutating func open(_ gate: Gate, thenWaitFor other: Gate? = nil) {
    let body = body
    self.body = ResponseBody {
      var pieces = body.makeAsyncIterator()
      return {
        let piece = try await pieces.next()
        gate.open()
        await other?.wait()
        return piece
      }
    }
  }
}
