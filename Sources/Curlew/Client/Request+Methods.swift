public import HTTPTypes

extension Endpoint {
  /// Creates a `GET` request.
  public static func get<Value: Decodable>(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self where Self == Request<Value> {
    Self(.get, path, query: query, headerFields: headerFields, decoding: .automatic)
  }

  /// Creates a `POST` request.
  public static func post<Value: Decodable>(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Value> {
    Self(.post, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `PUT` request.
  public static func put<Value: Decodable>(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Value> {
    Self(.put, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `PATCH` request.
  public static func patch<Value: Decodable>(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Value> {
    Self(.patch, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `DELETE` request.
  public static func delete<Value: Decodable>(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Value> {
    Self(.delete, path, query: query, headerFields: headerFields, body: body, decoding: .automatic)
  }

  /// Creates a `GET` request whose response body is discarded.
  public static func get(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self where Self == Request<Void> {
    Self(.get, path, query: query, headerFields: headerFields, decoding: .discarded)
  }

  /// Creates a `HEAD` request.
  public static func head(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:]
  ) -> Self where Self == Request<Void> {
    Self(.head, path, query: query, headerFields: headerFields, decoding: .discarded)
  }

  /// Creates a `POST` request whose response body is discarded.
  public static func post(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Void> {
    Self(.post, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PUT` request whose response body is discarded.
  public static func put(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Void> {
    Self(.put, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `PATCH` request whose response body is discarded.
  public static func patch(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Void> {
    Self(.patch, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }

  /// Creates a `DELETE` request whose response body is discarded.
  public static func delete(
    _ path: Path, query: Query = [:], headerFields: HTTPFields = [:], body: RequestBody = .none
  ) -> Self where Self == Request<Void> {
    Self(.delete, path, query: query, headerFields: headerFields, body: body, decoding: .discarded)
  }
}
