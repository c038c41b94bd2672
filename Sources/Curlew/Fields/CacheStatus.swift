/// The way in which a cache handled a request, and the reason: `Cache-Status` (RFC 9211).
public struct CacheStatus: Sendable, Hashable {
  /// The reason why the cache forwarded a request (RFC 9211 section 2.2).
  @nonexhaustive public enum Forward: String, Sendable, Hashable, CaseIterable {
    /// The cache was not used for the request.
    case bypass
    /// The cache does not serve requests with the method.
    case method
    /// No response is stored for the URL.
    case uriMiss = "uri-miss"
    /// The stored responses for the URL are for requests with other header fields (`Vary`).
    case varyMiss = "vary-miss"
    /// No stored response could be used.
    case miss
    /// The request required forwarding, such as with `no-cache`.
    case request
    /// The stored response must be validated.
    case stale
    /// Only a part of the body is stored.
    case partial
  }

  /// The reason why the request was forwarded; `nil` for a hit, and for a miss of a request that must not
  /// be forwarded (`only-if-cached`).
  public var forward: Forward?
  /// Whether the response was served from the cache without a request to the server.
  public var isHit: Bool
  /// The status code of the server's response, such as 304 after a validation; `nil` if there is none.
  public var forwardedStatus: Int?
  /// Whether the server's response was stored, or freshened a stored response.
  public var isStored = false
  /// The reason why the server's response was not stored, as a sentence that names the section of the RFC; `nil` if it was
  /// stored, or without a response.
  public var notStoredReason: String? { notStoredCause?.description }
  var notStoredCause: CacheReason?
  /// Whether the request shared the validation of another request.
  public var isCollapsed = false
  /// The number of seconds for which the response stays fresh; negative if it is stale; `nil` without a
  /// stored response.
  public var timeToLive: Int?
  /// The response's age in seconds when it was served (RFC 9111 section 4.2.3); `nil` for a new response.
  public var age: Int?
  /// The reason for this handling, as a sentence that names the section of the RFC.
  public var reason: String { cause.description }
  var cause: CacheReason

  /// Whether the cache had no usable response and the request was not sent (`only-if-cached`).
  var isUnavailable: Bool { !isHit && forward == nil }

  /// Creates the status of a hit.
  static func hit(age: Int, timeToLive: Int, _ reason: CacheReason) -> Self {
    Self(forward: nil, isHit: true, timeToLive: timeToLive, age: age, cause: reason)
  }

  /// Creates the status of a forwarded request.
  static func forwarded(_ forward: Forward, _ reason: CacheReason) -> Self {
    Self(forward: forward, isHit: false, cause: reason)
  }

  /// Creates the status of a miss of a request that must not be forwarded.
  static func unavailable(_ reason: CacheReason) -> Self {
    Self(forward: nil, isHit: false, cause: reason)
  }
}
