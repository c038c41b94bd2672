import HTTPTypes

/// The parts of a request's URL that decide which cookies it carries and may be set in its response.
struct CookieOrigin {
  let host: String
  let path: String
  /// Whether `Secure` cookies may be set and sent: over https, and in browsers also on this machine, which W3C's Secure
  /// Contexts (section 3.1) call potentially trustworthy.
  let isSecure: Bool

  init(_ head: HTTPRequest) {
    let authority = head.authority ?? ""
    let isBracketed = authority.hasPrefix("[")
    let end = isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":")
    host = (end.map { String(authority[..<$0]) } ?? authority).lowercased()
    path = String((head.path ?? "/").prefix { $0 != "?" })
    isSecure = head.scheme == "https" || Self.isLoopback(host)
  }

  private static func isLoopback(_ host: String) -> Bool {
    // The bracket after an IPv6 address is removed.
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1"
      || host.hasPrefix("127.") && isAddress(host)
  }

  private static func isAddress(_ host: String) -> Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

  /// Whether the host is an IP address, which has no subdomains.
  var isAddress: Bool { Self.isAddress(host) }

  /// The path of cookies without a `Path` attribute (RFC 6265 section 5.1.4).
  var defaultPath: String {
    guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  func isWithin(_ domain: String) -> Bool {
    host == domain || (!isAddress && host.hasSuffix("." + domain))
  }

  func isBelow(_ prefix: String) -> Bool {
    guard path.hasPrefix(prefix) else { return false }
    return path == prefix || prefix.hasSuffix("/")
      || path.dropFirst(prefix.count).hasPrefix("/")
  }

  /// Returns whether a response from this origin may set a cookie: for its own domain, not for a
  /// top-level domain, and under the conditions of name prefixes (RFC 6265bis section 4.1.3).
  func maySet(_ cookie: SetCookie) -> Bool {
    if cookie.isSecure, !isSecure { return false }
    if let domain = cookie.domain {
      guard isWithin(domain), domain.contains(".") || domain == host else { return false }
    }
    // A cookie without a name must not look like a cookie with a prefix.
    let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
    if cookie.name.isEmpty { return !name.hasPrefix("__secure-") && !name.hasPrefix("__host-") }
    if name.hasPrefix("__secure-") { return isSecure && cookie.isSecure }
    if name.hasPrefix("__host-") {
      return isSecure && cookie.isSecure && cookie.domain == nil && cookie.path == "/"
    }
    return true
  }
}
