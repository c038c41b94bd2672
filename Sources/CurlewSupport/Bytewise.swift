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
