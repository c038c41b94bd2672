/// Wraps a whole call, redirects included: sees its request before it is sent and its final response, and
/// may change, repeat or replace either.
///
/// Middlewares run in the order in which ``Client/Configuration/middleware`` lists them: the first
/// one sees the request first and the response last. One after a middleware that repeats requests, such
/// as `.retrying()`, runs once for each attempt. They see every status; whether one is an error
/// is judged after them. `next` may be called several times, also at the same time; each call has
/// its own limits for the connection, the first byte and pauses of the body.
///
/// ```swift
/// struct Tag: Middleware {
///   func send(
///     _ request: OutgoingRequest, next: @escaping Next
///   ) async throws(Client.Error) -> IncomingResponse {
///     var request = request
///     request.head.headerFields[.userAgent] = "Tag/1"
///     return try await next(request)
///   }
/// }
/// ```
///
/// To see every redirect and retry, as a rate limit does, use ``NetworkMiddleware``.
public protocol Middleware: Sendable {
  /// Sends the request on to the rest of the chain.
  typealias Next = @Sendable (OutgoingRequest) async throws(Client.Error) -> IncomingResponse

  /// Returns the response to a request, usually by calling `next`.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse
}
