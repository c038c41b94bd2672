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
