import Curlew
import Foundation
import HTTPTypes
import Synchronization

/// A server whose responses a test creates and delivers one by one.
final class StoryServer: Transport {
  var isStoppable: Bool { true }
  struct Call: Sendable {
    let id: Int
    let method: String
    let path: String
    let condition: String?
    let key: String?
    /// The logical time at which the request was sent.
    let time: Int
    var response: (status: Int, fields: HTTPFields, body: String)?
    fileprivate let continuation: CheckedContinuation<IncomingResponse, any Error>
  }

  private let state = Mutex((calls: [Call](), lastID: 0, time: 0))

  /// The requests without a response, in the order in which they were sent.
  var calls: [Call] { state.withLock { $0.calls } }

  /// Advances the logical time and returns it.
  func tick() -> Int {
    state.withLock { state in
      state.time += 1
      return state.time
    }
  }

  func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let time = tick()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let call = Call(
          id: id, method: request.head.method.rawValue, path: request.head.path ?? "",
          condition: request.head.headerFields[.ifNoneMatch],
          key: HTTPField.Name("Idempotency-Key").flatMap { request.head.headerFields[$0] },
          time: time, continuation: continuation)
        let isCancelled = state.withLock { state in
          if !Task.isCancelled { state.calls.append(call) }
          return Task.isCancelled
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      take(id)?.continuation.resume(throwing: CancellationError())
    }
  }

  private func take(_ id: Int) -> Call? {
    state.withLock { state in
      state.calls.firstIndex { $0.id == id }.map { state.calls.remove(at: $0) }
    }
  }

  /// Creates the response to a request without delivering it.
  func respond(_ id: Int, _ status: Int, _ fields: HTTPFields = [:], _ body: String = "") {
    state.withLock { state in
      guard let index = state.calls.firstIndex(where: { $0.id == id }) else { return }
      state.calls[index].response = (status, fields, body)
    }
  }

  /// Delivers the response to a request, or a connection failure if there is none.
  func deliver(_ id: Int) {
    guard let call = take(id) else { return }
    if let (status, fields, body) = call.response {
      call.continuation.resume(
        returning: IncomingResponse(
          head: HTTPResponse(status: .init(code: status), headerFields: fields),
          body: ResponseBody(Data(body.utf8))))
    } else {
      call.continuation.resume(
        throwing: Client.TransportFailure(.lost, reason: "lost"))
    }
  }

  /// Creates and delivers the response to a request.
  func deliver(_ id: Int, _ status: Int, _ body: String = "") {
    respond(id, status, [:], body)
    deliver(id)
  }

  func fail(_ id: Int, _ kind: Client.TransportFailure.Kind) {
    take(id)?.continuation.resume(throwing: Client.TransportFailure(kind, reason: "failed"))
  }
}
