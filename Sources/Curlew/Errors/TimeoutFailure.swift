extension Client {
  /// A failure because a time limit passed.
  public struct TimeoutFailure: Sendable, Hashable {
    /// The time limits of ``Limits``.
    @nonexhaustive public enum Limit: String, Sendable {
      /// ``Limits/connect``.
      case connect
      /// ``Limits/firstByte``.
      case firstByte
      /// ``Limits/idle``.
      case idle
      /// ``Limits/total``.
      case total
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The limit that passed.
    public let limit: Limit
    /// The limit's value.
    let duration: Duration
    /// Whether the upload of the request's body stalled, before or after the server's response.
    let isSending: Bool
  }
}
