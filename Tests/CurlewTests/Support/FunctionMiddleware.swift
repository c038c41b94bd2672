import Curlew

/// A middleware, for either list, made from a function.
struct FunctionMiddleware: Middleware, NetworkMiddleware {
  let function:
    @Sendable (OutgoingRequest, @escaping Next) async throws(Client.Error) -> IncomingResponse

  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await function(request, next)
  }
}
