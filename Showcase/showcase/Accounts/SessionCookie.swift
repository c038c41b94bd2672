import HTTPTypes
import Hummingbird

/// The cookie with the name of a browser's session (RFC 6265bis): no script can read it, and other sites' forms and
/// requests don't carry it.
package struct SessionCookie: Sendable {
  private let name, attributes: String

  /// - Parameter isSecure: Whether browsers send the cookie only by HTTPS and only to the host that has set it, which they
  ///   check by its prefix; false for a server on loopback without TLS, where they would refuse it.
  package init(isSecure: Bool) {
    name = isSecure ? "__Host-session" : "session"
    attributes = "; Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
  }

  /// Returns the session of a request; `nil` for a request with several cookies of this name.
  func session(of request: Request) -> String? {
    let values = request.headers[values: .cookie].flatMap { $0.split(separator: ";") }
      .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("\(name)=") }
    return values.count == 1 ? String(values[0].dropFirst(name.count + 1)) : nil
  }

  /// Returns the value of `Set-Cookie` for a session; `nil` removes the cookie.
  package func field(_ session: String?) -> String {
    "\(name)=\(session ?? "")\(attributes)" + (session == nil ? "; Max-Age=0" : "")
  }
}
