public import Foundation

/// The body of a request.
public struct RequestBody: Sendable {
  /// The body's `Content-Type`; `nil` sends none.
  public let contentType: String?

  /// Encodes the body, once for each request; `nil` for no body.
  let encode: (@Sendable (JSONEncoder) throws -> Data)?

  /// No body.
  public static let none = RequestBody(contentType: nil, encode: nil)

  /// Returns a body with a value as JSON, encoded by the client's `jsonEncoder`.
  public static func json(_ value: some Encodable & Sendable) -> RequestBody {
    RequestBody(contentType: "application/json") { encoder in try encoder.encode(value) }
  }

  /// Returns a body with names and values as in an HTML form (`application/x-www-form-urlencoded`): a
  /// space becomes `+` (WHATWG URL section 5.2).
  public static func form(_ fields: Query) -> RequestBody {
    RequestBody(contentType: "application/x-www-form-urlencoded") { _ in
      Data(fields.encoded.replacing("%20", with: "+").utf8)
    }
  }

  /// Returns a body of bytes.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(contentType: contentType) { _ in data }
  }
}
