extension Client {
  /// A failure to encode a request's body.
  public struct EncodingFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    package let request: String
    /// The encoder's description of the failure.
    public let reason: String
  }
}
