public import HTTPTypes

/// A ready-made endpoint: a request with the type of its response.
///
/// ```swift
/// extension GitHub {
///   static func issues(of name: RepositoryName, page: Int = 1) -> Request<[IssuePayload]> {
///     .get("/repos/\(name.owner)/\(name.name)/issues", query: ["page": page])
///   }
/// }
/// ```
public struct Request<Response: Sendable>: Endpoint, Sampled {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// The path below the client's base URL, or a URL.
  public var path: Path
  /// The query items.
  public var query: Query
  /// The header fields of this request; they override the client's.
  public var headerFields: HTTPFields
  /// The request's body.
  public var body: RequestBody
  /// How the body of an accepted response is decoded.
  public var decoding: ResponseDecoding<Response>
  /// The status codes of responses that are decoded.
  public var acceptedStatuses: Set<Int> = .successful
  /// The type that an error's body is decoded as; `nil` for the client's.
  public var errorBody: ErrorBody?
  /// Whether redirects are followed; `nil` for the client's policy.
  public var redirects: RedirectPolicy?
  /// Whether the request may be retried; by default, if its method is idempotent.
  public var isRetryable: Bool
  /// The request's priority in queues.
  public var priority = RequestPriority.interactive
  /// The change of the client's middlewares for this request; `nil` for none.
  public var middleware: MiddlewareChange?
  /// A sample response; `nil` for none.
  public var sample: Sample?
  private var adjustment: (@Sendable (inout Limits) -> Void)?

  /// Creates a request and sets how its response is decoded.
  public init(
    _ method: HTTPRequest.Method,
    _ path: Path,
    query: Query = [:],
    headerFields: HTTPFields = [:],
    body: RequestBody = .none,
    decoding: ResponseDecoding<Response>
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headerFields = headerFields
    self.body = body
    self.decoding = decoding
    isRetryable = method.isIdempotent
  }

  /// Creates the request of an endpoint for another URL, such as that of the next page, without a sample
  /// and a query.
  init(_ endpoint: some Endpoint<Response>, at url: URLReference) {
    self.init(
      endpoint.method, .url(url), headerFields: endpoint.headerFields, body: endpoint.body,
      decoding: endpoint.decoding)
    acceptedStatuses = endpoint.acceptedStatuses
    errorBody = endpoint.errorBody
    redirects = endpoint.redirects
    isRetryable = endpoint.isRetryable
    priority = endpoint.priority
    middleware = endpoint.middleware
    adjustment = { endpoint.adjustLimits(&$0) }
  }

  /// Applies the changes that were made with ``limits(_:)``.
  public func adjustLimits(_ limits: inout Limits) {
    adjustment?(&limits)
  }

  /// Returns this request with changed limits, in addition to earlier changes.
  ///
  /// ```swift
  /// .get("/report").limits { $0.total = .seconds(300) }
  /// ```
  public func limits(_ adjustment: @escaping @Sendable (inout Limits) -> Void) -> Self {
    var copy = self
    copy.adjustment = { [before = self.adjustment] limits in
      before?(&limits)
      adjustment(&limits)
    }
    return copy
  }

  /// Returns this request, accepting responses with these status codes, too.
  public func accepting(_ statuses: some Sequence<Int>) -> Self {
    var copy = self
    copy.acceptedStatuses.formUnion(statuses)
    return copy
  }

  /// Returns this request with a fixed value as the result of responses with these statuses: for a
  /// `304` or a `404` that is not an error.
  ///
  /// ```swift
  /// let user: Request<User?> = .get("/users/\(name)").returning(nil, for: .notFound)
  /// ```
  public func returning(_ value: Response, for statuses: HTTPResponse.Status...) -> Self {
    let codes = Set(statuses.map(\.code))
    var copy = accepting(codes)
    copy.decoding = decoding.returning(value, for: codes)
    return copy
  }

  /// Returns this request with its own redirect policy instead of the client's.
  ///
  /// `.doNotFollow` also accepts 301, 302, 303, 307 and 308: the response to
  /// `.post("/login").redirects(.doNotFollow)` has the redirect's status, `Location` and `Set-Cookie`.
  public func redirects(_ policy: RedirectPolicy) -> Self {
    var copy = self
    copy.redirects = policy
    return copy
  }

  /// Returns this request, whose error bodies are decoded as this type;
  /// ``Client/StatusFailure/body(as:)`` returns them.
  public func errorBody(_ type: ErrorBody) -> Self {
    var copy = self
    copy.errorBody = type
    return copy
  }

  /// Returns this request, which `.retrying()` may now retry whatever its method: for a `POST` that the
  /// server recognises as a repetition by an idempotency key.
  public func retryable(_ isRetryable: Bool = true) -> Self {
    var copy = self
    copy.isRetryable = isRetryable
    return copy
  }

  /// Returns this request with ``RequestPriority/prefetch``: requests that a user waits for are sent
  /// first.
  public func prefetch() -> Self {
    var copy = self
    copy.priority = .prefetch
    return copy
  }

  /// Returns this request with a sample response, which stubs return.
  public func sample(_ sample: Sample) -> Self {
    var copy = self
    copy.sample = sample
    return copy
  }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method, the path and the query, with secret values masked.
  public var description: String {
    var redaction = Redaction()
    for item in query.items where item.isSensitive {
      redaction.queryItems.insert(item.name.lowercased())
    }
    if let inherited = path.url?.parts.redaction { redaction.formUnion(inherited) }
    return "\(method) \(redaction.redacting(url: path.text(with: query)))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the ``description``: header fields may hold credentials.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
