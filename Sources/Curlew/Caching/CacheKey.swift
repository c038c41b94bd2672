/// The key of stored responses: an account and a URL, compared by their bytes.
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

  /// Returns whether the accounts and the URLs have the same bytes: `"jos\u{e9}"` and `"jose\u{301}"` are different
  /// accounts, although they are equal as texts.
  public static func == (one: Self, other: Self) -> Bool {
    Bytewise(one.url) == Bytewise(other.url)
      && one.account.map(Bytewise.init) == other.account.map(Bytewise.init)
  }

  /// Hashes the bytes of the account and the URL.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(account.map(Bytewise.init))
    hasher.combine(Bytewise(url))
  }
}

extension CacheKey {
  /// Whether the URL equals another URL or, if asked for, is below it.
  public func isAt(_ url: String, andBelow: Bool) -> Bool {
    andBelow ? Self.isURL(self.url, atOrBelow: url) : Bytewise(self.url) == Bytewise(url)
  }

  /// Returns whether a URL is one of the given URLs, equals one of the base URLs, or is below one.
  static func isURL(_ url: String, in urls: Set<Bytewise>, below bases: [String]) -> Bool {
    urls.contains(Bytewise(url)) || bases.contains { isURL(url, atOrBelow: $0) }
  }

  /// Returns whether a URL equals a base URL or is below it: `/user/starred?page=2` and
  /// `/user/starred/apple` are below `/user/starred`.
  static func isURL(_ url: String, atOrBelow base: String) -> Bool {
    guard url.utf8.starts(with: base.utf8) else { return false }
    guard let next = url.utf8.dropFirst(base.utf8.count).first else { return true }
    return base.utf8.last == UInt8(ascii: "/") || "/?&".utf8.contains(next)
  }
}
