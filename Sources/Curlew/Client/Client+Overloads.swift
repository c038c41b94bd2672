extension Client {
  /// Sends a request, such as `.get("/user")`, and returns the decoded value.
  ///
  /// The response type is inferred: `let user: User = try await client.send(.get("/user"))`.
  ///
  /// - Throws: ``Client/Error``.
  public func send<Response>(_ request: Request<Response>) async throws(Error) -> Response {
    try await response(for: request).value
  }

  /// Sends a request and discards the response's body: `try await client.send(.delete("/user"))`.
  ///
  /// - Throws: ``Client/Error``.
  public func send(_ request: Request<Void>) async throws(Error) {
    _ = try await response(for: request)
  }

  /// Sends a request and returns the decoded value or the error.
  public func result<Response>(of request: Request<Response>) async -> Result<Response, Error> {
    do {
      return .success(try await send(request))
    } catch {
      return .failure(error)
    }
  }

  /// Sends a request and returns the decoded value with the head of the response.
  ///
  /// - Throws: ``Client/Error``.
  public func response<Value>(
    for request: Request<Value>
  ) async throws(Error) -> Response<Value> {
    try await perform(request)
  }
}
