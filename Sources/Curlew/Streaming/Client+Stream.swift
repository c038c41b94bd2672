extension Client {
  /// Sends an endpoint's request and returns when the head of the response has arrived; its body is read
  /// while it arrives.
  ///
  /// The request passes through the same middlewares as every other request. ``Limits/total`` applies
  /// until the head has arrived, and ``Limits/idle`` between two chunks. ``Limits/bodySize`` applies
  /// only if the endpoint sets it in ``Request/limits(_:)``. With `.retrying()`, a failure before the
  /// head is retried.
  ///
  /// - Throws: ``Client/Error``: ``Client/Error/status(_:)`` if the endpoint does not accept the
  ///   response's status.
  public func stream<E: Endpoint>(_ endpoint: E) async throws(Error) -> StreamedResponse {
    try await stream(request(for: endpoint, isStreamed: true))
  }

  func stream(_ request: OutgoingRequest) async throws(Error) -> StreamedResponse {
    try await exchange(request, ends: .later) { response, sent in
      StreamedResponse(response, to: sent, endsCall: true)
    }
  }
}
