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
    return value + "; detail=\(cause.rawValue)"
  }
}
