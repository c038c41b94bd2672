/// The middlewares of one request: those of ``Client/Configuration``, with the request's changes.
struct MiddlewareLists: Sendable {
  /// The middlewares that wrap the call, the outermost first.
  var middleware: [any Middleware]
  /// The middlewares that wrap each request on the wire, the outermost first.
  var networkMiddleware: [any NetworkMiddleware]

  /// Removes the middlewares of these kinds from both lists.
  mutating func remove(_ kinds: [MiddlewareKind]) {
    middleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
    networkMiddleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
  }
}
