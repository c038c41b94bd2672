/// A change of a client's middlewares for the requests of one endpoint.
///
/// ```swift
/// struct Ping: Endpoint {
///   typealias Response = Void
///   let path: Path = "/ping"
///   var middleware: MiddlewareChange? { .without(.retrying) }
/// }
/// ```
///
/// The middlewares that are left are the client's own, with their state: the token, the rate
/// limits, the budget of retries. A request with a change shares no transfer with others
/// (`.coalescing`).
public struct MiddlewareChange: Sendable {
  private let change: @Sendable (inout MiddlewareLists) -> Void

  /// Creates a change of both lists.
  public init(_ change: @escaping @Sendable (inout MiddlewareLists) -> Void) {
    self.change = change
  }

  /// Returns a change that leaves out the middlewares of these kinds, in both lists.
  public static func without(_ kinds: MiddlewareKind...) -> Self {
    Self { $0.remove(kinds) }
  }

  /// Returns a change that adds a middleware as the last one, which sees the request after the
  /// client's.
  public static func adding(_ middleware: some Middleware) -> Self {
    Self { $0.middleware.append(middleware) }
  }

  /// Returns a change that adds a network middleware as the last one, just before the transport.
  public static func adding(network middleware: some NetworkMiddleware) -> Self {
    Self { $0.networkMiddleware.append(middleware) }
  }

  /// Returns this change followed by another one.
  public func then(_ next: MiddlewareChange) -> Self {
    Self { lists in
      change(&lists)
      next.change(&lists)
    }
  }

  func callAsFunction(_ lists: inout MiddlewareLists) { change(&lists) }
}

/// The middlewares of one request, as they are in ``Client/Configuration``.
public struct MiddlewareLists: Sendable {
  /// The middlewares that wrap the call, the outermost first.
  public var middleware: [any Middleware]
  /// The middlewares that wrap each request on the wire, the outermost first.
  public var networkMiddleware: [any NetworkMiddleware]

  /// Creates lists.
  public init(middleware: [any Middleware], networkMiddleware: [any NetworkMiddleware] = []) {
    self.middleware = middleware
    self.networkMiddleware = networkMiddleware
  }

  /// Removes the middlewares of these kinds from both lists.
  public mutating func remove(_ kinds: MiddlewareKind...) { remove(kinds) }

  fileprivate mutating func remove(_ kinds: [MiddlewareKind]) {
    middleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
    networkMiddleware.removeAll { middleware in kinds.contains { $0.includes(middleware) } }
  }
}
