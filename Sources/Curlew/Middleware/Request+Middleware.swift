import HTTPTypes

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

/// A kind of middlewares, regardless of their settings.
public struct MiddlewareKind: Sendable {
  private let matches: @Sendable (any Sendable) -> Bool

  private init(_ matches: @escaping @Sendable (any Sendable) -> Bool) {
    self.matches = matches
  }

  /// `.retrying()`.
  public static let retrying = Self { $0 is RetryMiddleware }
  /// `.coalescing`.
  public static let coalescing = Self { $0 is CoalescingMiddleware }
  /// `.bearer(…)`, with and without a refresh, and `.basic(user:password:)`.
  public static let authorization = Self {
    $0 is BearerRefreshMiddleware || ($0 as? HeaderFieldsMiddleware)?.authorizes == true
  }
  /// `.apiKey(…)`.
  public static let apiKey = Self { $0 is APIKeyMiddleware }
  /// `.headerFields(_:)` without an `Authorization`.
  public static let headerFields = Self { ($0 as? HeaderFieldsMiddleware)?.authorizes == false }
  /// `.rateBudget()`.
  public static let rateBudget = Self { $0 is RateBudgetMiddleware }
  /// `.concurrency(_:)`.
  public static let concurrency = Self { $0 is ConcurrencyLimitMiddleware }
  /// `.circuitBreaker()`.
  public static let circuitBreaker = Self { $0 is CircuitBreakerMiddleware }
  /// `.cookies()`.
  public static let cookies = Self { $0 is CookieMiddleware }
  /// All middlewares.
  public static let all = Self { _ in true }

  /// Returns the kind of a custom middleware.
  public static func type<M: Sendable>(_ type: M.Type) -> Self { Self { $0 is M } }

  func includes(_ middleware: any CallStep) -> Bool {
    matches((middleware as? StandardMiddleware)?.base ?? middleware)
  }
}

extension HeaderFieldsMiddleware {
  fileprivate var authorizes: Bool { fields[.authorization] != nil }
}

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
