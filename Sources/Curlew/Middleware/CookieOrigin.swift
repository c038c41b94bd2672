import HTTPTypes

/// The parts of a request's URL that decide which cookies it carries and may be set in its response.
struct CookieOrigin {
  let host: String
  let path: String
  let isSecure: Bool

  init(_ head: HTTPRequest) {
    let authority = head.authority ?? ""
    let isBracketed = authority.hasPrefix("[")
    let end = isBracketed ? authority.firstIndex(of: "]") : authority.firstIndex(of: ":")
    host = (end.map { String(authority[..<$0]) } ?? authority).lowercased()
    path = String((head.path ?? "/").prefix { $0 != "?" })
    isSecure = head.scheme == "https"
  }

  /// Whether the host is an IP address, which has no subdomains.
  var isAddress: Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
  }

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
    let name = cookie.name.lowercased()
    if name.hasPrefix("__secure-") { return isSecure && cookie.isSecure }
    if name.hasPrefix("__host-") {
      return isSecure && cookie.isSecure && cookie.domain == nil && cookie.path == "/"
    }
    return true
  }
}
