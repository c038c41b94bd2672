public import HTTPTypes

/// The ready-made endpoint: a request and the type of its answer.
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
  /// How a 2xx answer becomes a `Response`.
  public var decoding: ResponseDecoding<Response>
  /// Whether it may be sent again; as its method says by default.
  public var isRepeatable: Bool
  /// Whether somebody waits for the answer.
  public var priority = RequestPriority.interactive
  /// The sample of its answer; `nil` where there is none.
  public var sample: Sample?
  private var adjustment: (@Sendable (inout Limits) -> Void)?

  /// Creates a request whose answer is read as `decoding` says.
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
    isRepeatable = method.isIdempotent
  }

  /// Changes the limits as ``limits(_:)`` was told.
  public func adjust(_ limits: inout Limits) {
    adjustment?(&limits)
  }

  /// Returns this request with other limits than its client's.
  ///
  /// ```swift
  /// .get("/report").limits { $0.total = .seconds(300) }
  /// ```
  public func limits(_ adjustment: @escaping @Sendable (inout Limits) -> Void) -> Self {
    var copy = self
    copy.adjustment = adjustment
    return copy
  }

  /// Returns this request as one that may be sent again when its answer was lost, whatever its
  /// method: for a `POST` that the server can tell from its repetition.
  public func repeatable(_ isRepeatable: Bool = true) -> Self {
    var copy = self
    copy.isRepeatable = isRepeatable
    return copy
  }

  /// Returns this request as one that nobody waits for yet, and that lets others pass.
  public func prefetch() -> Self {
    var copy = self
    copy.priority = .prefetch
    return copy
  }

  /// Returns this request with a sample of its answer, which stubs serve.
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

extension Request where Response: Decodable {
  /// Creates a `GET` request.
  public static func get(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self {
    Self(.get, path, query: query, headerFields: headerFields, decoding: .automatic)
  }

  /// Creates a `POST` request.
  public static func post(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.post, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `PUT` request.
  public static func put(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.put, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `PATCH` request.
  public static func patch(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.patch, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `DELETE` request.
  public static func delete(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.delete, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }
}

extension Request where Response == Void {
  /// Creates a `GET` request whose answer's body is dropped.
  public static func get(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self {
    Self(.get, path, query: query, headerFields: headerFields, decoding: .discarded)
  }

  /// Creates a `HEAD` request.
  public static func head(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self {
    Self(.head, path, query: query, headerFields: headerFields, decoding: .discarded)
  }

  /// Creates a `POST` request whose answer's body is dropped.
  public static func post(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.post, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PUT` request whose answer's body is dropped.
  public static func put(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.put, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PATCH` request whose answer's body is dropped.
  public static func patch(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.patch, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `DELETE` request whose answer's body is dropped.
  public static func delete(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.delete, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }
}
