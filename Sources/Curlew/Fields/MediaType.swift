import HTTPTypes

/// A media type, from `Content-Type` (RFC 9110 section 8.3.1).
package struct MediaType: Sendable, Hashable {
  /// The type, in lowercase: `application`.
  package let type: String
  /// The subtype, in lowercase: `json`, `problem+json`.
  package let subtype: String
  /// The parameters by their names in lowercase; for a repeated name, the first value.
  package let parameters: [String: String]

  /// Parses a field's value; returns `nil` if it is not a media type.
  ///
  /// Malformed parameters are ignored.
  package init?(_ text: String) {
    var reader = FieldReader(text)
    reader.skipSpaces()
    type = reader.token().lowercased()
    guard !type.isEmpty, reader.take("/") else { return nil }
    subtype = reader.token().lowercased()
    reader.skipSpaces()
    guard !subtype.isEmpty, reader.isAtEnd || reader.next == UInt8(ascii: ";") else { return nil }
    var parameters: [String: String] = [:]
    while reader.take(";") {
      reader.skipSpaces()
      let name = reader.token().lowercased()
      guard reader.take("=") else {
        reader.skipSpaces()
        continue
      }
      let value = reader.next == UInt8(ascii: "\"") ? reader.quotedText() : reader.token()
      if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
      reader.skipSpaces()
    }
    self.parameters = parameters
  }

  /// Whether the content is JSON, including types such as `problem+json` (RFC 6839 section 3.1).
  var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }
}

extension HTTPFields {
  /// The media type of the content; `nil` if the field is missing or malformed.
  var mediaType: MediaType? { self[.contentType].flatMap { MediaType($0) } }
}
