/// What a stored response is found by: an account, and a URL.
public struct CacheKey: Sendable, Hashable {
  /// The account whose requests the responses serve; `nil` for requests without credentials.
  ///
  /// Never a secret: a name that the app chose, or a fingerprint of the credentials.
  public let account: String?
  /// The URL without its fragment; a secret query item has a fingerprint as its value.
  public let url: String

  /// Creates a key.
  public init(account: String?, url: String) {
    (self.account, self.url) = (account, url)
  }
}

extension CacheKey {
  /// Returns whether a URL is another one, or begins with it and goes on below it: `/user/starred` with
  /// `/user/starred?page=2` and `/user/starred/apple`.
  package static func isURL(_ url: String, atOrBelow base: String) -> Bool {
    guard url.hasPrefix(base) else { return false }
    return url.count == base.count || base.hasSuffix("/")
      || "/?&".contains(url.dropFirst(base.count).prefix(1))
  }
}
