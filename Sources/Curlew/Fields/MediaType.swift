package import HTTPTypes

/// What a content is, as `Content-Type` says it (RFC 9110 section 8.3.1).
package struct MediaType: Sendable, Hashable {
  /// The general kind, in lower case: `application`.
  package let type: String
  /// The special one, in lower case: `json`, `problem+json`.
  package let subtype: String
  /// What else was said, by names in lower case; the first where a name is repeated.
  package let parameters: [String: String]

  /// Reads a field's value; `nil` for what is no media type.
  ///
  /// What is malformed after the type is left out.
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

  /// Whether it is JSON, of whatever meaning (RFC 6839 section 3.1).
  package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }
}

extension HTTPFields {
  /// What the content is; `nil` where that is not said, or not understood.
  package var mediaType: MediaType? { self[.contentType].flatMap { MediaType($0) } }
}
