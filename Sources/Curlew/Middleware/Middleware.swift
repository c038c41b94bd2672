/// A type that wraps a whole call, including redirects: it sees the request before it is sent and the
/// final response, and may change, repeat or replace either.
///
/// Middlewares run in the order in which ``Client/Configuration/middleware`` lists them: the first
/// middleware sees the request first and the response last. A middleware that follows `.retrying()`, or
/// another middleware that repeats requests, runs once for each attempt. Middlewares see responses of every
/// status; the client checks the status after them. `next` may be called several times, even concurrently;
/// the time limits ``Limits/connect``, ``Limits/firstByte`` and ``Limits/idle`` start anew with each call.
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
/// To see every redirect and retry, as a rate limit must, use ``NetworkMiddleware``.
///
/// A middleware that awaits more than `next` runs in a task of its own, because a time limit can stop it only by cancelling
/// its task (``CallStep/isStoppable``).
public protocol Middleware: CallStep {
  /// A function that passes a request on to the rest of the chain.
  typealias Next = @Sendable (OutgoingRequest) async throws(Client.Error) -> IncomingResponse

  /// Returns the response to a request, usually by calling `next`.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse
}

/// A type that wraps each request on the wire, including redirects and retries: it sees the request
/// before it is sent, and its response.
///
/// Network middlewares run in the order in which ``Client/Configuration/networkMiddleware`` lists them,
/// after all of ``Client/Configuration/middleware``. A type that makes sense in both lists conforms to
/// both protocols with one function.
public protocol NetworkMiddleware: CallStep {
  /// A function that passes a request on to the rest of the chain.
  typealias Next = Middleware.Next

  /// Returns the response to a request, usually by calling `next`.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse

  /// Called with a response that the client's cache serves without a request on the wire; does nothing by default.
  func served(_ response: IncomingResponse, to request: OutgoingRequest)
}

extension NetworkMiddleware {
  /// Does nothing.
  public func served(_ response: IncomingResponse, to request: OutgoingRequest) {}
}

/// A middleware of Curlew's own, as `.retrying()`, `.cookies()` and others return it.
public struct StandardMiddleware: Middleware, NetworkMiddleware {
  let base: any Middleware
  /// `true`: Curlew's middlewares await only what a time limit can stop.
  public var isStoppable: Bool { true }

  package init(_ base: any Middleware) {
    self.base = base
  }

  /// Forwards to the wrapped middleware.
  public func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await base.send(request, next: next)
  }

  /// Forwards to the wrapped middleware.
  public func served(_ response: IncomingResponse, to request: OutgoingRequest) {
    (base as? any NetworkMiddleware)?.served(response, to: request)
  }
}
