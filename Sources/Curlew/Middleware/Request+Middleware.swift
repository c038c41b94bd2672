extension Request {
  /// Returns this request without the client's middlewares of these kinds.
  ///
  /// ```swift
  /// .get("/status").without(.retrying)
  /// ```
  public func without(_ kinds: MiddlewareKind...) -> Self {
    changingMiddleware { $0.remove(kinds) }
  }

  /// Returns this request with a middleware that runs after the client's middlewares.
  ///
  /// ```swift
  /// .get("/report").adding(.retrying(attempts: 5))
  /// ```
  public func adding(_ middleware: some Middleware) -> Self {
    changingMiddleware { $0.middleware.append(middleware) }
  }

  /// Returns this request with a network middleware that runs after the client's network
  /// middlewares.
  public func adding(network middleware: some NetworkMiddleware) -> Self {
    changingMiddleware { $0.networkMiddleware.append(middleware) }
  }

  /// Returns this request with changed middlewares, in addition to earlier changes.
  private func changingMiddleware(
    _ change: @escaping @Sendable (inout MiddlewareLists) -> Void
  ) -> Self {
    changing { request in
      request.middlewareChange = { [before = self.middlewareChange] lists in
        before?(&lists)
        change(&lists)
      }
    }
  }
}
