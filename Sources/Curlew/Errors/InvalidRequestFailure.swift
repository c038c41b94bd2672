extension Client {
  /// A failure because a request can't be sent as it is.
  public struct InvalidRequestFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    package let request: String
    /// The reason why the request can't be sent.
    public let reason: String

    /// Creates a failure.
    package init(request: String, reason: String) {
      self.request = request
      self.reason = reason
    }
  }
}
