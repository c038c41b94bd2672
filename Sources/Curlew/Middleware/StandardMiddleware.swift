/// A middleware of Curlew's own, as `.retrying()`, `.bearer(_:)` and others return it.
public struct StandardMiddleware: Middleware {
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
}

/// A network middleware of Curlew's own, as `.rateBudget()`, `.cookies()` and others return it.
public struct StandardNetworkMiddleware: NetworkMiddleware {
  let base: any NetworkMiddleware
  /// `true`: Curlew's middlewares await only what a time limit can stop.
  public var isStoppable: Bool { true }

  package init(_ base: any NetworkMiddleware) {
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
    base.served(response, to: request)
  }
}
