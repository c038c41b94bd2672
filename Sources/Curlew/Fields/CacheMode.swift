/// How a call uses what is stored.
public enum CacheMode: Sendable, Hashable {
  /// As the standard says (RFC 9111): a fresh stored response, otherwise a validated or a new one.
  case standard
  /// A response that the server validated or sent just now, whatever is stored; a browser's "reload". The call
  /// throws when the server can't be reached.
  ///
  /// One that is fresh and `immutable` is not validated, as RFC 8246 section 2 wants it.
  case reload
  /// A stored response of any age, without asking the server; a new one only if nothing is stored.
  ///
  /// As a browser's history does (RFC 9111 section 6), it shows what the user saw before, also where
  /// directives such as `must-revalidate` forbid to use a stale response.
  case cacheElseLoad
  /// A stored response of any age; if there is none, nothing is sent, and the call throws
  /// ``Client/Error/notSent(_:)``.
  case cacheOnly
}
