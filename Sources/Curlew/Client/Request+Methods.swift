public import HTTPTypes

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
  /// Creates a `GET` request whose response body is discarded.
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

  /// Creates a `POST` request whose response body is discarded.
  public static func post(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.post, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PUT` request whose response body is discarded.
  public static func put(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.put, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PATCH` request whose response body is discarded.
  public static func patch(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.patch, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `DELETE` request whose response body is discarded.
  public static func delete(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self {
    Self(.delete, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }
}
