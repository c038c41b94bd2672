import Curlew
import HTTPTypes
import Testing

/// Gives each test both ways of a request: in the caller's task, and in a task of its own, which one
/// with middlewares that may wait gets.
enum Way: String, CaseIterable, CustomTestStringConvertible {
  case inCallersTask, inTaskOfItsOwn

  var testDescription: String { rawValue }

  func middleware(_ observe: @escaping Observing.Observe) -> any Middleware {
    switch self {
    case .inCallersTask: PunctualObserving(observing: Observing(observe: observe))
    case .inTaskOfItsOwn: Observing(observe: observe)
    }
  }
}

/// Lets a test see and change answers as they come.
struct Observing: Middleware {
  typealias Observe = @Sendable (inout IncomingResponse) -> Void

  let observe: Observe

  func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    var response = try await next(request)
    observe(&response)
    return response
  }
}

private struct PunctualObserving: PunctualMiddleware {
  let observing: Observing

  func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await observing.send(request, next: next)
  }
}

extension IncomingResponse {
  /// Opens a gate when the first piece of the body was read.
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
