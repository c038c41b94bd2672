import HTTPTypes

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
  public var notStoredReason: String? { notStoredCause?.rawValue }
  var notStoredCause: CacheReason?
  /// Whether the request shared the validation of another request.
  public var isCollapsed = false
  /// The number of seconds for which the response stays fresh; negative if it is stale; `nil` without a
  /// stored response.
  public var timeToLive: Int?
  /// The response's age in seconds when it was served (RFC 9111 section 4.2.3); `nil` for a new response.
  public var age: Int?
  /// The reason for this handling, as a sentence that names the section of the RFC.
  public var reason: String { cause.rawValue }
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

extension CacheStatus: CustomStringConvertible {
  /// A readable line: how the cache handled the request and why, and why the response was not stored.
  public var description: String {
    var text =
      if isHit {
        "from the cache"
      } else if let forward {
        "forwarded (\(forward.rawValue)\(forwardedStatus.map { ", \($0)" } ?? ""))"
      } else {
        "not sent"
      }
    if isStored { text += ", stored" }
    if isCollapsed { text += ", shared with another request" }
    if let age { text += ", \(age) s old" }
    // Zero seconds may mean fresh or stale.
    if let timeToLive, timeToLive != 0 {
      text +=
        timeToLive > 0 ? ", fresh for \(timeToLive) s" : ", stale for \(timeToLive.magnitude) s"
    }
    return "\(text): \(reason)" + (notStoredReason.map { " \($0)" } ?? "")
  }

  /// Returns the value of a `Cache-Status` field (RFC 9211 section 2), such as
  /// `Curlew; fwd=stale; fwd-status=304; stored; ttl=60; detail=validated`.
  public func fieldValue() -> String {
    var value = "Curlew"
    if isHit {
      value += "; hit"
    } else if let forward {
      value += "; fwd=\(forward.rawValue)"
      if let forwardedStatus { value += "; fwd-status=\(forwardedStatus)" }
      if isStored { value += "; stored" }
      if isCollapsed { value += "; collapsed" }
    }
    // Integers of structured fields have at most fifteen digits (RFC 8941 section 3.3.1).
    let greatest = 999_999_999_999_999
    if let timeToLive { value += "; ttl=\(min(max(-greatest, timeToLive), greatest))" }
    return value + "; detail=\(cause)"
  }
}

extension HTTPFields {
  /// Appends the status of this cache after the statuses of intermediate caches (RFC 9211 section 2).
  mutating func add(_ status: CacheStatus) {
    append(HTTPField(name: .cacheStatus, value: status.fieldValue()))
  }
}

extension HTTPField.Name {
  /// `Cache-Status` (RFC 9211).
  static let cacheStatus = Self("Cache-Status")!
}

/// The reason why a cache served, forwarded, stored or did not store a response: a sentence that names the section of the
/// RFC.
enum CacheReason: String, Sendable, Hashable, CaseIterable {
  // Served from the cache.
  case fresh = "It is fresh: its age is below its lifetime (RFC 9111 section 4.2)."
  case freshByHeuristics =
    "It is fresh for a tenth of the time since its last modification (RFC 9111 section 4.2.2)."
  case immutable =
    "It is fresh and immutable, so a reload does not validate it (RFC 8246 section 2)."
  case staleAccepted =
    "It is stale, and the request accepts that: max-stale (RFC 9111 section 5.2.1.2)."
  case staleWhileRevalidating =
    "It is stale, and is validated in the background: stale-while-revalidate (RFC 5861 section 3)."
  case staleAfterError = "It is stale, and the server failed: stale-if-error (RFC 5861 section 4)."
  case staleWhenOffline = "It is stale, and the server can't be reached (RFC 9111 section 4.2.4)."
  case historyWhenOffline =
    "It must be validated, but the server can't be reached, and the app shows history (RFC 9111 section 6)."
  case storedPreferred = "The call prefers stored responses of any age (RFC 9111 section 6)."
  case callerIsCurrent =
    "It is fresh, and the request's conditions match: 304 (RFC 9111 section 4.3.2)."
  case validated = "The server validated it with a 304 (RFC 9111 section 4.3.3)."

  // Forwarded.
  case nothingStored = "Nothing is stored under the URL (RFC 9111 section 4)."
  case otherVariants =
    "The stored responses are for requests with other header fields: Vary (RFC 9111 section 4.1)."
  case methodNotServed = "Only GET and HEAD are served from the cache (RFC 9111 section 4)."
  case stale = "It is stale: its age has reached its lifetime (RFC 9111 section 4.2)."
  case staleWithoutValidator = "It is stale and has no validator (RFC 9111 section 4.3.1)."
  case mustRevalidate =
    "It is stale and must be validated: must-revalidate (RFC 9111 section 5.2.2.2)."
  case responseNoCache =
    "The response must be validated each time: no-cache (RFC 9111 section 5.2.2.4)."
  case responseNoLongerStored =
    "The last 304 forbids to store it: no-store (RFC 9111 section 5.2.2.5)."
  case clockSetBack = "The clock was set back, so its age is unknown (RFC 9111 section 4.2.3)."
  case outdated = "It was invalidated (RFC 9111 section 4.4)."
  case requestNoCache = "The request requires validation: no-cache (RFC 9111 section 5.2.1.4)."
  case requestPragma = "The request requires validation: Pragma: no-cache (RFC 9111 section 5.4)."
  case requestMaxAge =
    "The request requires a younger response: max-age (RFC 9111 section 5.2.1.1)."
  case requestMinFresh =
    "The request requires a longer freshness: min-fresh (RFC 9111 section 5.2.1.3)."
  case freshestRequested = "The call bypasses the stored responses (RFC 9111 section 4)."
  case ownConditions = "The server must evaluate the request's conditions (RFC 9111 section 4.3.2)."
  case rangeNotServed =
    "The range can't be served from the stored responses (RFC 9110 section 14.2)."
  case validatedNothing = "The server's 304 matches no stored response (RFC 9111 section 4.3.4)."

  // Not sent.
  case onlyIfCached = "No stored response can be used: only-if-cached (RFC 9111 section 5.2.1.7)."

  // Stored and not stored.
  case stored = "It is stored (RFC 9111 section 3)."
  case methodNotStored = "Only responses to GET are stored (RFC 9111 section 3)."
  case notFinal = "It is not a final response (RFC 9111 section 3)."
  case partNotStored = "Partial responses are not stored (RFC 9111 section 3.3)."
  case onlyForItsRequest =
    "Its status responds to this request's conditions, range or credentials (RFC 9110 section 15.5)."
  case statusNotStored = "Responses with its status must not be stored (RFC 6585)."
  case statusNotUnderstood =
    "The cache does not understand its status: must-understand (RFC 9111 section 5.2.2.3)."
  case requestNoStore = "The request forbids to store it: no-store (RFC 9111 section 5.2.1.5)."
  case responseNoStore = "The response forbids to store it: no-store (RFC 9111 section 5.2.2.5)."
  case variesOnEverything = "It matches no other request: Vary: * (RFC 9111 section 4.1)."
  case noExplicitLifetime =
    "Its status may be stored only with an explicit lifetime (RFC 9111 section 3)."
  case nothingToReuse =
    "It is an error that has neither a lifetime nor a validator (RFC 9111 section 3)."
  case incomplete = "Its body is incomplete (RFC 9111 section 3.3)."
  case credentialsAddedBelow =
    "Credentials were added below the cache: name the account to store it (RFC 9111 section 3.5)."
  case outOfDate =
    "An unsafe request or a purge invalidated it before it arrived (RFC 9111 section 4.4)."
  case notTaken = "The storage rejected it; it may be too large (RFC 9111 section 3)."
}
