extension Client {
  /// Returns a `curl` command for the request of an endpoint, to paste into a shell.
  ///
  /// The command contains the request before the client's middlewares, without the fields that they add,
  /// such as tokens and cookies. For the request as it is sent, call
  /// ``OutgoingRequest/curl(showsSecrets:)`` in a middleware.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint, such as a ``Request``.
  ///   - showsSecrets: Whether the command contains the values that the client's ``Redaction`` masks.
  /// - Throws: The ``Client/Error`` of a request that can't be created, such as an encoding error of its
  ///   body.
  public func curl<E: Endpoint>(
    for endpoint: E, showsSecrets: Bool = false
  ) throws(Error) -> String {
    try request(for: endpoint, isObserved: false).curl(showsSecrets: showsSecrets)
  }
}
