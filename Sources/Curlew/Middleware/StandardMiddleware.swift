/// A middleware that comes with Curlew: what `.retrying()`, `.bearer(_:)` and the like return.
public struct StandardMiddleware: Middleware {
  let base: any Middleware

  init(_ base: any Middleware) {
    self.base = base
  }

  /// Forwards to the middleware that it holds.
  public func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await base.send(request, next: next)
  }
}

/// A network middleware that comes with Curlew: what `.rateBudget()`, `.cookies()` and the like return.
public struct StandardNetworkMiddleware: NetworkMiddleware {
  let base: any NetworkMiddleware

  init(_ base: any NetworkMiddleware) {
    self.base = base
  }

  /// Forwards to the middleware that it holds.
  public func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    try await base.send(request, next: next)
  }
}

extension StandardMiddleware: CustomReflectable {
  /// Shows which middleware it is, without secrets.
  public var customMirror: Mirror { Mirror(self, children: ["base": base], displayStyle: .struct) }
}

extension StandardNetworkMiddleware: CustomReflectable {
  /// Shows which middleware it is, without secrets.
  public var customMirror: Mirror { Mirror(self, children: ["base": base], displayStyle: .struct) }
}
