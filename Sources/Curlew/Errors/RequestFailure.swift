extension Client {
  /// A failure to create a request: its body can't be encoded, or a part of it is invalid.
  public struct RequestFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    let request: String
    /// The reason, without secrets.
    public let reason: String

    /// Creates a failure.
    public init(request: String, reason: String) {
      (self.request, self.reason) = (request, reason)
    }
  }
}
