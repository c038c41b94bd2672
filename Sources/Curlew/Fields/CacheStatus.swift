/// What a cache did with a request, and why: `Cache-Status` (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
  /// Whether the request left the cache, and why it did (RFC 9211 section 2.2).
  @nonexhaustive public enum Forward: String, Sendable, Hashable, CaseIterable {
    /// The cache was not used for the request.
    case bypass
    /// The method is one that the cache does not serve.
    case method
    /// Nothing is stored under the URL.
    case uriMiss = "uri-miss"
    /// What is stored under the URL is for requests with other header fields (`Vary`).
    case varyMiss = "vary-miss"
    /// Nothing that is stored could be used.
    case miss
    /// The request asked for it, such as with `no-cache`.
    case request
    /// What is stored has to be validated.
    case stale
    /// Only a part of the body is stored.
    case partial
  }

  /// Why the request left the cache; `nil` for a hit, and for a request that found nothing and must not
  /// leave it (`only-if-cached`).
  public var forward: Forward?
  /// Whether the response was served from the cache without asking the server.
  public var isHit: Bool
  /// The status code of the server's response, such as 304 after a validation; `nil` if there is none.
  public var forwardedStatus: Int?
  /// Whether the server's response was stored, or freshened a stored one.
  public var isStored = false
  /// Why the server's response was not stored; `nil` if it was, or there was none.
  public var notStoredReason: CacheReason?
  /// Whether the request shared the validation of another one.
  public var isCollapsed = false
  /// For how many seconds the response stays fresh; negative if it is stale; `nil` if nothing is stored.
  public var timeToLive: Int?
  /// The response's age in seconds when it was served (RFC 9111 section 4.2.3); `nil` if it was not
  /// stored before.
  public var age: Int?
  /// Why the request was served like this.
  public var reason: CacheReason

  /// Whether nothing was stored that could be served, and nothing was sent (`only-if-cached`).
  package var isUnavailable: Bool { !isHit && forward == nil }

  /// Creates the status of a hit.
  package static func hit(age: Int, timeToLive: Int, _ reason: CacheReason) -> Self {
    Self(forward: nil, isHit: true, timeToLive: timeToLive, age: age, reason: reason)
  }

  /// Creates the status of a request that leaves the cache.
  package static func forwarded(_ forward: Forward, _ reason: CacheReason) -> Self {
    Self(forward: forward, isHit: false, reason: reason)
  }

  /// Creates the status of a request that finds nothing and must not leave the cache.
  package static func unavailable(_ reason: CacheReason) -> Self {
    Self(forward: nil, isHit: false, reason: reason)
  }
}
