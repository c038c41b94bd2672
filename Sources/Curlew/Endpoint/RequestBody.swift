public import Foundation

/// What a request carries.
public struct RequestBody: Sendable {
  /// The `Content-Type` that goes with it; `nil` sends none.
  public let contentType: String?

  /// Makes the bytes; called once for each request.
  let encode: (@Sendable (JSONEncoder) throws -> Data)?

  /// No body at all.
  public static let none = RequestBody(contentType: nil, encode: nil)

  /// Carries a value as JSON, encoded by the client's `jsonEncoder`.
  public static func json(_ value: some Encodable & Sendable) -> RequestBody {
    RequestBody(contentType: "application/json") { encoder in try encoder.encode(value) }
  }

  /// Carries names and values as an HTML form does (`application/x-www-form-urlencoded`): a space
  /// becomes `+` (WHATWG URL section 5.2).
  public static func form(_ fields: Query) -> RequestBody {
    RequestBody(contentType: "application/x-www-form-urlencoded") { _ in
      Data(fields.encoded.replacing("%20", with: "+").utf8)
    }
  }

  /// Carries bytes as they are.
  public static func data(
    _ data: Data, contentType: String = "application/octet-stream"
  ) -> RequestBody {
    RequestBody(contentType: contentType) { _ in data }
  }
}
