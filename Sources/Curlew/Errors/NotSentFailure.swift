extension Client {
  /// A failure because the client did not send a request.
  public struct NotSentFailure: Sendable, Hashable {
    /// The reasons why a request is not sent.
    @nonexhaustive public enum Reason: Sendable, Hashable {
      /// The server's rate limit is used up.
      case rateLimit
      /// The server's circuit is open after consecutive failures.
      case circuitOpen
      /// The cache has no response for a call that only uses the cache (``CacheMode/cacheOnly``).
      case notInCache
    }

    /// The request's method and URL, without secrets.
    let request: String
    /// The reason why the request was not sent.
    public let reason: Reason
    /// The time until a request may be sent again.
    public let retryAfter: Duration
  }
}
