public import Foundation
import HTTPTypes
import Synchronization

/// Implements `.cookies(in:)`.
struct CookieMiddleware: Middleware, NetworkMiddleware {
  let jar: CookieJar

  /// Adds the cookies for the server, and stores the cookies of the response.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let origin = CookieOrigin(request.head)
    let removals = jar.removals
    var request = request
    if request.head.headerFields[.cookie] == nil, let field = jar.field(for: origin) {
      request.head.headerFields.append(field)
    }
    let response = try await next(request)
    jar.take(
      response.head.headerFields[fields: .setCookie], from: origin, unlessRemovedSince: removals)
    return response
  }
}

extension NetworkMiddleware where Self == StandardMiddleware {
  /// Sends cookies back to the servers that set them (RFC 6265); without it, a client sends no cookies.
  public static func cookies(in jar: CookieJar = CookieJar()) -> Self {
    Self(CookieMiddleware(jar: jar))
  }
}

/// Stores cookies for the servers that set them (RFC 6265 section 5.3), in memory and limited in
/// number.
public final class CookieJar: Sendable {
  private struct Cookie {
    let field: SetCookie
    /// The host that the cookie is for, with its subdomains unless `isHostOnly`.
    let domain: String
    let isHostOnly: Bool
    let path: String

    /// Whether the name and the value are ISO 8859-1 text of bytes that are not UTF-8.
    let isOpaque: Bool

    /// The cookie as a request carries it (RFC 6265bis section 5.8.3), with the bytes that were received.
    var pair: [UInt8] {
      let pair = field.name.isEmpty ? field.value : "\(field.name)=\(field.value)"
      return isOpaque ? pair.unicodeScalars.map { UInt8(clamping: $0.value) } : Array(pair.utf8)
    }
  }

  /// The maximum numbers of cookies in total and for one domain (RFC 6265 section 6.1).
  private static let (limit, domainLimit) = (3_000, 50)

  private let now: @Sendable () -> Date
  /// By creation, the oldest first.
  private let cookies = Mutex<[Cookie]>([])
  /// The number of calls of ``removeAll()``.
  private let removalCount = Atomic(0)

  /// Creates an empty jar.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The number of cookies.
  var count: Int { cookies.withLock { $0.count } }

  /// The number of calls of ``removeAll()``.
  var removals: Int { removalCount.load(ordering: .sequentiallyConsistent) }

  /// Removes all cookies; the cookies of responses to requests in flight are not stored.
  public func removeAll() {
    cookies.withLock { cookies in
      cookies = []
      removalCount.add(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Stores the cookies of a response's `Set-Cookie` fields, except cookies for a foreign domain.
  ///
  /// - Parameter removals: The number of removals when the request was sent; after another, nothing is stored.
  func take(_ fields: [HTTPField], from url: CookieOrigin, unlessRemovedSince removals: Int) {
    let now = now()
    for field in fields where !field.hasLostBytes {
      guard let cookie = SetCookie(field.text, now: now), url.maySet(cookie) else { continue }
      store(cookie, isOpaque: field.isOpaque, from: url, now: now, removals)
    }
  }

  private func store(
    _ cookie: SetCookie, isOpaque: Bool, from url: CookieOrigin, now: Date, _ removals: Int
  ) {
    cookies.withLock { cookies in
      guard removals == self.removals else { return }
      // A domain without a dot, such as `localhost`, is the host's own name: the cookie is for this
      // host only.
      let isHostOnly =
        cookie.domain == nil || url.isAddress || cookie.domain?.contains(".") == false
      let new = Cookie(
        field: cookie, domain: isHostOnly ? url.host : cookie.domain ?? url.host,
        isHostOnly: isHostOnly, path: cookie.path ?? url.defaultPath, isOpaque: isOpaque)
      // A cookie that was set over https can't be replaced over http (RFC 6265bis section 5.7).
      let isProtected = cookies.contains { old in
        old.field.isSecure && old.field.name == cookie.name && url.isWithin(old.domain)
      }
      if !url.isSecure, isProtected { return }
      cookies.removeAll { old in old.field.expires.map { $0 <= now } ?? false }
      let known = cookies.firstIndex { old in
        (old.field.name, old.domain, old.path) == (cookie.name, new.domain, new.path)
      }
      if let expires = cookie.expires, expires <= now {
        if let known { cookies.remove(at: known) }
        return
      }
      // A cookie keeps its time of creation (RFC 6265 section 5.3).
      if let known {
        cookies[known] = new
        return
      }
      let isDomainFull = cookies.count { $0.domain == new.domain } >= Self.domainLimit
      if isDomainFull || cookies.count >= Self.limit,
        let oldest = cookies.firstIndex(where: { !isDomainFull || $0.domain == new.domain })
      {
        cookies.remove(at: oldest)
      }
      cookies.append(new)
    }
  }

  /// Returns a request's `Cookie` field; `nil` for none.
  func field(for url: CookieOrigin) -> HTTPField? {
    let now = now()
    let matching = cookies.withLock { cookies in
      cookies.filter { cookie in
        (cookie.isHostOnly ? url.host == cookie.domain : url.isWithin(cookie.domain))
          && url.isBelow(cookie.path) && (url.isSecure || !cookie.field.isSecure)
          && (cookie.field.expires.map { $0 > now } ?? true)
      }
    }
    // Longer paths first, then older cookies (RFC 6265 section 5.4).
    let sorted = matching.sorted { $1.path.utf8.count < $0.path.utf8.count }
    return sorted.isEmpty
      ? nil
      : HTTPField(
        name: .cookie, value: Array(sorted.map(\.pair).joined(separator: Array("; ".utf8))))
  }
}

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
