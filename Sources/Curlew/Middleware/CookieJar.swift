public import Foundation
import HTTPTypes
import Synchronization

/// Stores cookies for the servers that set them (RFC 6265 section 5.3), in memory and limited in
/// number.
public final class CookieJar: Sendable {
  private struct Cookie {
    let name: String
    let value: String
    /// The host that the cookie is for, with its subdomains unless `isHostOnly`.
    let domain: String
    let isHostOnly: Bool
    let path: String
    let isSecure: Bool
    let expires: Date?
    let number: Int

    func isSame(as other: Cookie) -> Bool {
      name == other.name && domain == other.domain && path == other.path
    }
  }

  private struct State {
    var cookies: [Cookie] = []
    var lastNumber = 0
  }

  /// The maximum numbers of cookies in all and for one domain (RFC 6265 section 6.1).
  private static let (limit, domainLimit) = (3_000, 50)

  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  /// Creates an empty jar.
  public init(now: @escaping @Sendable () -> Date = { Date() }) {
    self.now = now
  }

  /// The number of cookies.
  package var count: Int { state.withLock { $0.cookies.count } }

  /// Removes all cookies.
  public func removeAll() { state.withLock { $0.cookies = [] } }

  /// Stores the cookies of a response's `Set-Cookie` fields, except those for a foreign domain.
  func take(_ fields: [String], from url: CookieOrigin) {
    let now = now()
    for field in fields {
      guard let cookie = SetCookie(field, now: now), url.maySet(cookie) else { continue }
      store(cookie, from: url, now: now)
    }
  }

  private func store(_ cookie: SetCookie, from url: CookieOrigin, now: Date) {
    state.withLock { state in
      state.lastNumber += 1
      // A domain without a dot, such as `localhost`, is the host's own name: the cookie is for this
      // host only.
      let isHostOnly =
        cookie.domain == nil || url.isAddress || cookie.domain?.contains(".") == false
      let new = Cookie(
        name: cookie.name, value: cookie.value,
        domain: isHostOnly ? url.host : cookie.domain ?? url.host, isHostOnly: isHostOnly,
        path: cookie.path ?? url.defaultPath, isSecure: cookie.isSecure, expires: cookie.expires,
        number: state.lastNumber)
      // A cookie that was set over https can't be replaced over http (RFC 6265bis section 5.7).
      let isProtected = state.cookies.contains { old in
        old.isSecure && old.name == new.name && url.isWithin(old.domain)
      }
      if !url.isSecure, isProtected { return }
      state.cookies.removeAll { old in
        old.isSame(as: new) || (old.expires.map { $0 <= now } ?? false)
      }
      if let expires = new.expires, expires <= now { return }
      let sameDomain = state.cookies.filter { $0.domain == new.domain }
      let oldest =
        sameDomain.count >= Self.domainLimit
        ? sameDomain.first : state.cookies.count >= Self.limit ? state.cookies.first : nil
      if let oldest { state.cookies.removeAll { $0.number == oldest.number } }
      state.cookies.append(new)
    }
  }

  /// Returns the value of a request's `Cookie` field; `nil` for none.
  func field(for url: CookieOrigin) -> String? {
    let now = now()
    let cookies = state.withLock { state in
      state.cookies.filter { cookie in
        (cookie.isHostOnly ? url.host == cookie.domain : url.isWithin(cookie.domain))
          && url.isBelow(cookie.path) && (url.isSecure || !cookie.isSecure)
          && (cookie.expires.map { $0 > now } ?? true)
      }
    }
    // Longer paths first, then older cookies (RFC 6265 section 5.4).
    let sorted = cookies.sorted {
      ($1.path.utf8.count, $0.number) < ($0.path.utf8.count, $1.number)
    }
    return sorted.isEmpty ? nil : sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
  }
}
