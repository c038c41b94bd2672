/// The key of stored responses: an account and a URL.
public struct CacheKey: Sendable, Hashable {
  /// The account whose requests the responses serve; `nil` for requests without credentials.
  ///
  /// A name that the app chose, or a fingerprint of the credentials; never a secret.
  public let account: String?
  /// The URL without its fragment; a secret query item has a fingerprint as its value.
  public let url: String

  /// Creates a key.
  public init(account: String?, url: String) {
    (self.account, self.url) = (account, url)
  }
}

extension CacheKey {
  /// Returns whether a URL equals a base URL or is below it: `/user/starred?page=2` and
  /// `/user/starred/apple` are below `/user/starred`.
  package static func isURL(_ url: String, atOrBelow base: String) -> Bool {
    guard url.hasPrefix(base) else { return false }
    return url.count == base.count || base.hasSuffix("/")
      || "/?&".contains(url.dropFirst(base.count).prefix(1))
  }
}
