extension Client {
  /// Sends a ready-made request and returns its value, whose type says what `.get` and the others make:
  /// `let user: User = try await client.send(.get("/user"))`.
  ///
  /// - Throws: ``Client/Error``.
  public func send<Response>(_ request: Request<Response>) async throws(Error) -> Response {
    try await response(for: request).value
  }

  /// Sends a ready-made request whose response is dropped: `try await client.send(.delete("/user"))`.
  ///
  /// - Throws: ``Client/Error``.
  public func send(_ request: Request<Void>) async throws(Error) {
    _ = try await response(for: request)
  }

  /// Sends a ready-made request and returns its value or the error.
  public func result<Response>(of request: Request<Response>) async -> Result<Response, Error> {
    do {
      return .success(try await send(request))
    } catch {
      return .failure(error)
    }
  }

  /// Sends a ready-made request and returns its value with the head of the response.
  ///
  /// - Throws: ``Client/Error``.
  public func response<Value>(
    for request: Request<Value>
  ) async throws(Error) -> Response<Value> {
    try await perform(request)
  }
}
