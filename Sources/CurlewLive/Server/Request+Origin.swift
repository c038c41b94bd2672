import CurlewSupport
public import Hummingbird

extension Request {
  /// Whether the request has the server's own origin, which browsers send with every `POST` (WHATWG Fetch section 3.2).
  ///
  /// Live pages check it themselves; an app checks it in its own forms, such as those to sign in and out, so that no other
  /// site can submit them.
  public var isSameOrigin: Bool {
    let origin = headers[.origin] ?? ""
    let scheme = origin.prefix { $0 != ":" }.lowercased()
    guard let defaultPort = ["http": 80, "https": 443][scheme],
      origin.dropFirst(scheme.count).hasPrefix("://"),
      let own = head.authority.flatMap({ Authority($0) }),
      let other = Authority(origin.dropFirst(scheme.count + 3))
    else { return false }
    return own.host == other.host && own.port ?? defaultPort == other.port ?? defaultPort
  }
}
