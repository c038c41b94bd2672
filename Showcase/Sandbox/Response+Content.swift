import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A handler throws a response if it can't return a better response.
extension Response: @retroactive Error {}

extension Response {
  /// Creates a response with a body; a success has a weak entity tag (RFC 9110, 8.8.3), as servers
  /// with compression send it.
  init(_ status: HTTPResponse.Status, _ contentType: String, _ body: ByteBuffer) {
    self.init(
      status: status, headers: [.contentType: contentType], body: .init(byteBuffer: body))
    if status == .ok {
      headers[.eTag] = "W/\"\(String(body.stableHash, radix: 16))\""
    }
  }

  static func json(_ value: JSON, status: HTTPResponse.Status = .ok) -> Response {
    Response(status, "application/json; charset=utf-8", value.encoded)
  }

  static func text(_ text: String, status: HTTPResponse.Status) -> Response {
    Response(status, "text/plain; charset=utf-8", ByteBuffer(string: text + "\n"))
  }

  /// Returns the response with header fields set, or removed where a value is nil.
  func with(_ fields: [String: String?]) -> Response {
    var response = self
    for (name, value) in fields {
      guard let name = HTTPField.Name(name) else {
        preconditionFailure("\(name) is not a header field name")
      }
      response.headers[name] = value
    }
    return response
  }
}

extension String {
  /// The text with markup characters of HTML and XML escaped.
  var escapedForMarkup: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
