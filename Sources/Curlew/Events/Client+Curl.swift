extension Client {
  /// Returns a `curl` command for the request of an endpoint, to paste into a shell.
  ///
  /// It is the request that the client makes, before its middlewares: without what they add, such as
  /// tokens and cookies. A middleware has the request as it is sent: see ``OutgoingRequest/curl(showsSecrets:)``.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint, such as a ``Request``.
  ///   - showsSecrets: Whether the command contains the values that the client's ``Redaction`` masks.
  /// - Throws: The ``Client/Error`` of a request that can't be made, such as one whose body can't be
  ///   encoded.
  public func curl<E: Endpoint>(
    for endpoint: E, showsSecrets: Bool = false
  ) throws(Error) -> String {
    try request(for: endpoint, isObserved: false).curl(showsSecrets: showsSecrets)
  }
}
