extension Client {
  /// A failure because a response's body or header, or a part of a stream, exceeds its size limit.
  public struct TooLargeFailure: Sendable, Hashable {
    /// The size limits of ``Limits``.
    @nonexhaustive public enum Limit: String, Sendable {
      /// ``Limits/bodySize``.
      case bodySize
      /// ``Limits/headerSize``, or the transport's own limit for a header.
      case headerSize
      /// ``Limits/lineSize``.
      case lineSize
      /// ``Limits/eventSize``.
      case eventSize
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The limit that was exceeded.
    public let limit: Limit
    /// The limit's value, in bytes.
    let bytes: Int
    /// The transport and its own limit, if the response exceeds it; `nil` for the limit of ``Limits``.
    var transportLimit: String?
  }
}
