/// Stands between the client and the transport: sees each request before it leaves and each answer
/// as it comes back, and may change, repeat or replace either.
///
/// Middlewares run in the order in which ``Client/Configuration/middleware`` lists them. They see
/// every status; whether one is an error is judged after them. Redirects are followed below them.
///
/// ```swift
/// struct Tag: Middleware {
///   func send(_ request: OutgoingRequest, next: Next) async throws(Client.Error) -> IncomingResponse {
///     var request = request
///     request.head.headerFields[.userAgent] = "Tag/1"
///     return try await next(request)
///   }
/// }
/// ```
public protocol Middleware: Sendable {
  /// Sends the request on to the rest of the chain.
  typealias Next = @Sendable (OutgoingRequest) async throws(Client.Error) -> IncomingResponse

  /// Answers a request, usually by calling `next`.
  func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse
}
