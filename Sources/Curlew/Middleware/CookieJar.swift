public import Foundation
import HTTPTypes
import Synchronization

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

  /// Creates an empty jar.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The number of cookies.
  var count: Int { cookies.withLock { $0.count } }

  /// Removes all cookies.
  public func removeAll() { cookies.withLock { $0 = [] } }

  /// Stores the cookies of a response's `Set-Cookie` fields, except cookies for a foreign domain.
  func take(_ fields: [HTTPField], from url: CookieOrigin) {
    let now = now()
    for field in fields where !field.hasLostBytes {
      guard let cookie = SetCookie(field.text, now: now), url.maySet(cookie) else { continue }
      store(cookie, isOpaque: field.isOpaque, from: url, now: now)
    }
  }

  private func store(_ cookie: SetCookie, isOpaque: Bool, from url: CookieOrigin, now: Date) {
    cookies.withLock { cookies in
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
