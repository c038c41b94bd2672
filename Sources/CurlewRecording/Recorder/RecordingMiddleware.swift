public import Curlew
import HTTPTypes

/// Implements `.recording(_:)`.
struct RecordingMiddleware: Middleware, NetworkMiddleware {
  let recorder: HARRecorder

  /// Sends a request, and records it with its response.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    guard let index = recorder.begin(request, at: request.time) else {
      return try await next(request)
    }
    do throws(Client.Error) {
      var response = try await next(request)
      recorder.receive(response, of: index, at: request.time)
      response.body = recording(response.body, of: index, request)
      return response
    } catch {
      recorder.end(index, .failed("\(error)"), at: request.time)
      throw error
    }
  }

  /// Records a response from the cache.
  func served(_ response: IncomingResponse, to request: OutgoingRequest) {
    recorder.record(response, to: request)
  }

  /// Returns a body that is recorded while it is read.
  private func recording(
    _ body: ResponseBody, of index: Int, _ request: OutgoingRequest
  ) -> ResponseBody {
    if let data = body.data {
      recorder.receive(data, of: index)
      recorder.end(index, .complete, at: request.time)
      return body
    }
    return ResponseBody { [recorder] in
      var chunks = body.makeAsyncIterator()
      return {
        let chunk = try await chunks.next()
        if let chunk {
          recorder.receive(chunk, of: index)
        } else {
          recorder.end(index, .complete, at: request.time)
        }
        return chunk
      }
    }
    .whenDone { [recorder] error in
      let reason = error.map { "\(request.failure($0))" }
      recorder.end(index, reason.map { .failed($0) } ?? .unread, at: request.time)
    }
  }
}

extension NetworkMiddleware where Self == StandardMiddleware {
  /// Records each network request and its response, including redirects and retries.
  ///
  /// Add it last, so that it sees the changes of the other network middlewares. A response's body is recorded while it
  /// is read, chunk by chunk. A streamed or compressed request body is not recorded.
  public static func recording(_ recorder: HARRecorder) -> Self {
    Self(RecordingMiddleware(recorder: recorder))
  }
}

extension MiddlewareKind {
  /// The kind of `.recording(_:)`.
  public static let recording = MiddlewareKind.type(RecordingMiddleware.self)
}
