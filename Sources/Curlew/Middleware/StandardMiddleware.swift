/// A middleware of Curlew's own, as `.retrying()`, `.bearer(_:)` and others return it.
public struct StandardMiddleware: Middleware {
  let base: any Middleware

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

  package init(_ base: any NetworkMiddleware) {
    self.base = base
  }

  /// Forwards to the wrapped middleware.
  public func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await base.send(request, next: next)
  }
}
