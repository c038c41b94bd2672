import HTTPTypes

/// A text in a key, compared by its bytes.
///
/// `String` compares characters: `"jos\u{e9}"` equals `"jose\u{301}"`, and `"K"` equals `"\u{212a}"`. Servers tell them
/// apart (RFC 3986 section 6.2.1, RFC 9110 section 5.5).
package struct Bytewise: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Creates a key's part.
  package init(_ text: String) { self.text = text }

  package static func == (one: Self, other: Self) -> Bool {
    var (one, other) = (one.text, other.text)
    return one.withUTF8 { one in other.withUTF8 { one.elementsEqual($0) } }
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // A byte that is not in UTF-8 separates this text from a key's next text.
    hasher.combine(0xFF as UInt8)
  }
}

extension HTTPField {
  /// The value as a text that differs for different bytes: other bytes than UTF-8 are written as numbers.
  var distinctValue: String {
    let value = value
    return withUnsafeBytesOfValue { bytes in
      value.utf8.elementsEqual(bytes) ? value : "\(Array(bytes))"
    }
  }
}

extension HTTPRequest {
  /// Returns whether the requests are equal to the byte, with the fields in the same order.
  func isBytewiseEqual(to other: Self) -> Bool {
    self == other && path.map(Bytewise.init) == other.path.map(Bytewise.init)
      && authority.map(Bytewise.init) == other.authority.map(Bytewise.init)
      && zip(headerFields, other.headerFields).allSatisfy { one, other in
        one.withUnsafeBytesOfValue { one in other.withUnsafeBytesOfValue { one.elementsEqual($0) } }
      }
  }
}
