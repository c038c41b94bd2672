import HTTPTypes

/// The byte range of a partial response, from its `Content-Range` (RFC 9110 section 14.4).
struct ContentRange: Sendable, Hashable {
  /// The range of bytes, from 0; `nil` in a 416 response, which contains only the total.
  let bytes: ClosedRange<Int>?
  /// The size of the complete content, in bytes; `nil` if it is unknown.
  let total: Int?

  /// Whether the range is the complete content.
  var isWhole: Bool { bytes?.lowerBound == 0 && bytes.map { $0.upperBound + 1 } == total }

  /// Parses a field's value: `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; returns `nil` for any
  /// other form, and for an impossible range.
  init?(_ text: String) {
    var reader = FieldReader(text)
    reader.skipSpaces()
    guard reader.token().lowercased() == "bytes", reader.take(" ") else { return nil }
    reader.skipSpaces()
    if reader.take("*") {
      bytes = nil
    } else {
      guard let first = reader.number(), reader.take("-"), let last = reader.number(), first <= last
      else { return nil }
      bytes = first...last
    }
    guard reader.take("/") else { return nil }
    if reader.take("*") {
      total = nil
    } else {
      guard let length = reader.number() else { return nil }
      total = length
    }
    reader.skipSpaces()
    guard reader.isAtEnd else { return nil }
    switch (bytes, total) {
    case (nil, nil): return nil
    case (let bytes?, let total?): guard bytes.upperBound < total else { return nil }
    default: break
    }
  }
}

extension HTTPFields {
  /// The byte range of a partial response; `nil` if the field is missing or malformed.
  var contentRange: ContentRange? { self[.contentRange].flatMap { ContentRange($0) } }
}
