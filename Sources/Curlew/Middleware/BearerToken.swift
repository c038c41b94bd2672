/// A bearer token (RFC 6750), with the token that refreshes it.
public struct BearerToken: Sendable, Hashable {
  /// A function that returns the replacement of a token.
  ///
  /// Its client adds no tokens, so that a refresh can't cause another refresh.
  typealias Refresh =
    @Sendable (TokenClient, BearerToken?) async throws(Client.Error) -> BearerToken

  /// The access token, which requests carry.
  public var access: Sensitive
  /// The refresh token (RFC 6749 section 6).
  public var refresh: Sensitive?

  /// Creates a token.
  public init(access: Sensitive, refresh: Sensitive? = nil) {
    self.access = access
    self.refresh = refresh
  }
}
