package import HTTPTypes

/// Which bytes of a whole a response brings, as `Content-Range` says it (RFC 9110 section 14.4).
package struct ContentRange: Sendable, Hashable {
  /// The first and the last byte, from 0; `nil` in a refusal (416), which tells the length alone.
  package let bytes: ClosedRange<Int>?
  /// How long the whole is, in bytes; `nil` where that is not known.
  package let total: Int?

  /// Reads a field's value: `bytes 0-99/1000`, `bytes 0-99/*` or `bytes */1000`; `nil` for what is
  /// none of these, or can't be true.
  package init?(_ text: String) {
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
  /// Which bytes of a whole a response brings; `nil` where that is not said, or not understood.
  package var contentRange: ContentRange? { self[.contentRange].flatMap { ContentRange($0) } }
}
