extension CacheStatus: CustomStringConvertible {
  /// A line for people: what the cache did, and why; also why the response was not stored.
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
    // Less than a second may be either.
    if let timeToLive, timeToLive != 0 {
      text +=
        timeToLive > 0 ? ", fresh for \(timeToLive) s" : ", stale for \(timeToLive.magnitude) s"
    }
    return "\(text): \(reason)" + (notStoredReason.map { " \($0)" } ?? "")
  }

  /// Returns the value of a `Cache-Status` field (RFC 9211 section 2), such as
  /// `Curlew; fwd=stale; fwd-status=304; stored; ttl=60; detail=validated`.
  ///
  /// - Parameter cacheName: What the cache calls itself.
  public func fieldValue(cacheName: String = "Curlew") -> String {
    var value = Self.item(cacheName)
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
    return value + "; detail=\(reason.rawValue)"
  }

  /// Returns a token if the text is one, otherwise a quoted string (RFC 8941 sections 3.3.3 and 3.3.4).
  private static func item(_ text: String) -> String {
    var reader = FieldReader(text)
    let token = reader.text { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "^")...UInt8(ascii: "z"), UInt8(ascii: "|"), UInt8(ascii: "~"):
        true
      default: "!#$%&'*+-.:/".utf8.contains(byte)
      }
    }
    let startsWell =
      switch text.utf8.first ?? 0 {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "*"):
        true
      default: false
      }
    if startsWell, reader.isAtEnd { return token }
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case " "..."~": "\(scalar)"
      // Strings of structured fields are ASCII.
      default: "?"
      }
    }
    return "\"\(escaped.joined())\""
  }
}
