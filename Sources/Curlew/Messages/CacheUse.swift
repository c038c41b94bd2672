/// The way in which a request uses the client's cache.
struct CacheUse: Sendable, Hashable {
  var mode = CacheMode.standard
  /// Whether the response must be fresh, or sent or validated by the server now: stale responses are not
  /// used, even where they are allowed.
  var isCurrent = false
  /// Whether the server could not be reached, so that a stale response may be used instead.
  var isOffline = false

  /// Whether the request may be sent to the server.
  var maySend: Bool { mode != .cacheOnly && !isOffline }
}
