public import HTTPTypes

/// The ready-made endpoint: a request and the type of its response.
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
  /// The path below the client's base URL.
  public var path: Path
  /// The query items.
  public var query: Query
  /// Header fields of this request; they win over the client's own.
  public var headerFields: HTTPFields
  /// What the request carries.
  public var body: RequestBody
  /// How the body of an accepted response becomes a `Response`.
  public var decoding: ResponseDecoding<Response>
  /// The status codes of responses that are decoded.
  public var acceptedStatuses: Set<Int> = .successful
  /// The type that the body of an error is decoded as; `nil` for the client's.
  public var errorBody: ErrorBody?
  /// Whether redirects are followed; `nil` leaves that to the client.
  public var redirects: RedirectPolicy?
  /// Whether it may be sent again; as its method says by default.
  public var isRetryable: Bool
  /// Whether somebody waits for the response.
  public var priority = RequestPriority.interactive
  /// The sample of its response; `nil` where there is none.
  public var sample: Sample?
  private var adjustment: (@Sendable (inout Limits) -> Void)?

  /// Creates a request whose response is read as `decoding` says.
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

  /// Applies the changes that were made with ``limits(_:)``.
  public func adjust(_ limits: inout Limits) {
    adjustment?(&limits)
  }

  /// Returns this request with other limits than its client's, in addition to earlier changes.
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

  /// Returns this request as one that decodes responses with these status codes, too.
  public func accepting(_ statuses: some Sequence<Int>) -> Self {
    var copy = self
    copy.acceptedStatuses.formUnion(statuses)
    return copy
  }

  /// Returns this request with a value as its response to these statuses: for a `304` or a `404` that is
  /// no error.
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

  /// Returns this request as one whose redirects are followed or not, whatever its client does.
  ///
  /// `.doNotFollow` also accepts 301, 302, 303, 307 and 308: the response to
  /// `.post("/login").redirects(.doNotFollow)` has the redirect's status, `Location` and `Set-Cookie`.
  public func redirects(_ policy: RedirectPolicy) -> Self {
    var copy = self
    copy.redirects = policy
    return copy
  }

  /// Returns this request as one whose errors have a body of this type, which
  /// ``Client/StatusFailure/body(as:)`` returns.
  public func errorBody(_ type: ErrorBody) -> Self {
    var copy = self
    copy.errorBody = type
    return copy
  }

  /// Returns this request as one that `.retrying()` may send again, whatever its method: for a `POST`
  /// whose repetition the server recognises by an idempotency key.
  public func retryable(_ isRetryable: Bool = true) -> Self {
    var copy = self
    copy.isRetryable = isRetryable
    return copy
  }

  /// Returns this request as one that nobody waits for yet, and that lets others pass.
  public func prefetch() -> Self {
    var copy = self
    copy.priority = .prefetch
    return copy
  }

  /// Returns this request with a sample of its response, which stubs serve.
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
    let target = path.description + (query.items.isEmpty ? "" : "?" + query.encoded)
    return "\(method) \(redaction.redacting(url: target))"
  }

  /// As ``description``.
  public var debugDescription: String { description }

  /// Shows no more than ``description``: header fields may hold credentials.
  public var customMirror: Mirror { Mirror(reflecting: description) }
}
