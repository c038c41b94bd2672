import Foundation
public import HTTPTypes

/// Adds header fields to each request that does not have them yet.
public struct HeaderFieldsMiddleware: PunctualMiddleware {
  private let fields: HTTPFields

  /// Creates a middleware that adds these fields.
  public init(_ fields: HTTPFields) {
    self.fields = fields
  }

  /// Adds the fields and sends the request on.
  public func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    var request = request
    let present = request.head.headerFields
    for field in fields where !present.contains(field.name) {
      request.head.headerFields.append(field)
    }
    return try await next(request)
  }
}

extension HeaderFieldsMiddleware: CustomReflectable {
  /// Shows the names and no values: one of them may be a token.
  public var customMirror: Mirror {
    Mirror(self, children: ["fields": fields.map(\.name.rawName)], displayStyle: .struct)
  }
}

extension Middleware where Self == HeaderFieldsMiddleware {
  /// Adds header fields to each request that does not have them yet.
  public static func headerFields(_ fields: HTTPFields) -> Self { Self(fields) }

  /// Authorises each request with a token (RFC 6750): `Authorization: Bearer …`.
  ///
  /// An endpoint's own `Authorization` wins. A redirect to another origin does not carry it.
  public static func bearer(_ token: Sensitive) -> Self {
    Self([.authorization: "Bearer \(token.value)"])
  }

  /// Authorises each request with a name and a password (RFC 7617): `Authorization: Basic …`.
  ///
  /// - Parameters:
  ///   - user: The name; a colon in it would end it, and is left out.
  ///   - password: The password.
  public static func basic(user: String, password: Sensitive) -> Self {
    let credentials = Data("\(user.filter { $0 != ":" }):\(password.value)".utf8)
    return Self([.authorization: "Basic \(credentials.base64EncodedString())"])
  }

  /// Authorises each request with a token (RFC 6750): `Authorization: Bearer …`.
  public static func bearer(_ token: String) -> Self { .bearer(Sensitive(token)) }

  /// Authorises each request with a name and a password (RFC 7617): `Authorization: Basic …`.
  public static func basic(user: String, password: String) -> Self {
    .basic(user: user, password: Sensitive(password))
  }
}
