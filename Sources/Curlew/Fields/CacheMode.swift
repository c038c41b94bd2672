/// The way in which a call uses the cache.
public enum CacheMode: Sendable, Hashable {
  /// The standard behavior (RFC 9111): a fresh stored response, otherwise a validated or new response.
  case standard
  /// A response that the server validates or sends now, like a browser's reload. The call throws an error
  /// if the server can't be reached.
  ///
  /// A fresh `immutable` response is not validated (RFC 8246 section 2).
  case reload
  /// A stored response of any age, without validation; a new response only if the cache has none.
  ///
  /// Like a browser's history (RFC 9111 section 6), it shows the same content as before, even if directives
  /// such as `must-revalidate` forbid the use of a stale response.
  case cacheElseLoad
  /// A stored response of any age. If there is none, no request is sent, and the call throws
  /// ``Client/Error/notSent(_:)``.
  case cacheOnly
}
