/// The middlewares of one request, as they are in ``Client/Configuration``, for
/// ``Request/middleware(_:)``.
///
/// The remaining middlewares are the client's own instances, with their state: the token, the rate
/// limits, the budget of retries. A request whose middlewares are changed shares no transfer with others
/// (`.coalescing`).
public struct MiddlewareLists: Sendable {
  /// The middlewares that wrap the call, the outermost first.
  public var middleware: [any Middleware]
  /// The middlewares that wrap each request on the wire, the outermost first.
  public var networkMiddleware: [any NetworkMiddleware]

  init(middleware: [any Middleware], networkMiddleware: [any NetworkMiddleware]) {
    (self.middleware, self.networkMiddleware) = (middleware, networkMiddleware)
  }

  /// Removes the middlewares of these kinds from both lists.
  public mutating func remove(_ kinds: MiddlewareKind...) { remove(kinds) }

  mutating func remove(_ kinds: [MiddlewareKind]) {
    middleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
    networkMiddleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
  }
}
