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
public struct Request<Response: Sendable>: Endpoint, RequestDeclaration {
  /// The request's method.
  public var method: HTTPRequest.Method
  /// The path below the client's base URL, or a URL (``Path/url(_:)``).
  public var path: Path
  /// The query items.
  public var query: Query
  /// The header fields of this request; they override the client's.
  public var headerFields: HTTPFields
  /// The request's body.
  public var body: RequestBody
  /// The decoding of an accepted response's body.
  public var decoding: ResponseDecoding<Response>
  /// The status codes of the responses to decode.
  public var acceptedStatuses: Set<Int> = .successful
  /// The type to decode an error response's body as; `nil` for the client's type.
  var errorBody: ErrorBody?
  /// The policy for redirects; `nil` for the client's policy.
  var redirects: RedirectPolicy?
  /// Whether the request may be retried; by default `true` if its method is idempotent.
  var isRetryable: Bool
  /// The request's priority in queues.
  var priority = RequestPriority.interactive
  /// A sample response; `nil` for none.
  public internal(set) var sample: Sample?
  var middlewareChange: (@Sendable (inout MiddlewareLists) -> Void)?
  private(set) var limitsChange: (@Sendable (inout Limits) -> Void)?

  /// Creates a request with the decoding of its response.
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

  /// The request itself.
  public var request: Self { self }

  /// Returns this request for another URL, such as the next page's, without its query and sample.
  func at(_ url: URLReference) -> Self {
    changing { ($0.path, $0.query, $0.sample) = (.url(url), [:], nil) }
  }

  func changing(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Returns this request with a function that changes its limits; earlier changes are kept.
  ///
  /// ```swift
  /// .get("/report").limits { $0.total = .seconds(300) }
  /// ```
  public func limits(_ adjustment: @escaping @Sendable (inout Limits) -> Void) -> Self {
    changing { request in
      request.limitsChange = { [before = self.limitsChange] limits in
        before?(&limits)
        adjustment(&limits)
      }
    }
  }

  /// Returns this request, which also accepts responses with these status codes.
  public func accepting(_ statuses: some Sequence<Int>) -> Self {
    changing { $0.acceptedStatuses.formUnion(statuses) }
  }

  /// Returns this request with a fixed value as the result of responses with these statuses, such as a
  /// `304`, or a `404` that is not an error.
  ///
  /// ```swift
  /// let user: Request<User?> = .get("/users/\(name)").returning(nil, for: .notFound)
  /// ```
  public func returning(_ value: Response, for statuses: HTTPResponse.Status...) -> Self {
    let codes = Set(statuses.map(\.code))
    return accepting(codes).changing { $0.decoding = decoding.returning(value, for: codes) }
  }

  /// Returns this request with its own redirect policy instead of the client's.
  ///
  /// `.doNotFollow` also accepts 301, 302, 303, 307 and 308: the response to
  /// `.post("/login").redirects(.doNotFollow)` has the redirect's status, `Location` and `Set-Cookie`.
  public func redirects(_ policy: RedirectPolicy) -> Self {
    changing { $0.redirects = policy }
  }

  /// Returns this request with the type to decode error bodies as;
  /// ``Client/StatusFailure/body(as:)`` returns the decoded value.
  public func errorBody(_ type: ErrorBody) -> Self {
    changing { $0.errorBody = type }
  }

  /// Returns this request, which `.retrying()` may retry regardless of its method, such as a `POST` with an
  /// idempotency key.
  public func retryable(_ isRetryable: Bool = true) -> Self {
    changing { $0.isRetryable = isRetryable }
  }

  /// Returns this request with the priority of a prefetch: requests that a user waits for are sent first.
  public func prefetch() -> Self {
    changing { $0.priority = .prefetch }
  }

  /// Returns this request with a sample response for the transport `.samples()` and for stub transports.
  public func sample(_ sample: Sample) -> Self {
    changing { $0.sample = sample }
  }
}

extension Request: Described {
  /// The method, the path and the query, with secret values masked.
  public var description: String {
    var redaction = Redaction()
    for item in query.items where item.isSensitive {
      redaction.queryItems.insert(item.name.lowercased())
    }
    if let inherited = path.url?.parts.redaction { redaction.formUnion(inherited) }
    return "\(method) \(redaction.redacting(url: path.text(with: query)))"
  }
}
