/// A bearer token (RFC 6750), with the token that refreshes it.
public struct BearerToken: Sendable, Hashable {
  /// A function that returns the replacement of a token.
  typealias Refresh = @Sendable (BearerToken?) async throws -> BearerToken

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
