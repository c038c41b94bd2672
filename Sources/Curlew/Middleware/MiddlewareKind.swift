import HTTPTypes

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

  func includes(_ middleware: any Middleware) -> Bool {
    matches((middleware as? StandardMiddleware)?.base ?? middleware)
  }

  func includes(_ middleware: any NetworkMiddleware) -> Bool {
    matches((middleware as? StandardNetworkMiddleware)?.base ?? middleware)
  }
}

extension HeaderFieldsMiddleware {
  fileprivate var authorizes: Bool { fields[.authorization] != nil }
}
