/// How a request uses the client's cache.
struct CacheUse: Sendable, Hashable {
  var mode = CacheMode.standard
  /// Whether the response must be one that is fresh, or that the server sent or validated now: nothing stale,
  /// even where that is allowed.
  var isCurrent = false
  /// Whether the server could not be reached, and a stale response may stand in for its own.
  var isOffline = false

  /// Whether anything may be sent.
  var maySend: Bool { mode != .cacheOnly && !isOffline }
}
