import Foundation
import HTTPTypes

extension Middleware where Self == StandardMiddleware {
  /// Authorises each request with a token (RFC 6750): `Authorization: Bearer …`.
  ///
  /// An endpoint's own `Authorization` takes precedence. A redirect to another origin drops the field,
  /// and a URL of an endpoint with another origin doesn't get it.
  public static func bearer(_ token: String) -> Self {
    .headerFields([.authorization: "Bearer \(token)"])
  }

  /// Authorises each request with a name and a password (RFC 7617): `Authorization: Basic …`.
  ///
  /// - Parameters:
  ///   - user: The user name; colons are removed.
  ///   - password: The password.
  public static func basic(user: String, password: String) -> Self {
    let credentials = Data("\(user.filter { $0 != ":" }):\(password)".utf8)
    return .headerFields([.authorization: "Basic \(credentials.base64EncodedString())"])
  }
}
