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
  public var method: HTTPRequest.Method
  public var path: Path
  public var query: Query
  public var headerFields: HTTPFields
  public var body: RequestBody
  public var decoding: ResponseDecoding<Response>
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
  }

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

  /// Returns this request with a sample of its answer, which stubs serve.
  public func sample(_ sample: Sample) -> Self {
    var copy = self
    copy.sample = sample
    return copy
  }
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
