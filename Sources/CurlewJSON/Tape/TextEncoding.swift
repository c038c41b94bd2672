/// How a JSON text is encoded, as its first bytes tell (RFC 4627 section 3).
enum TextEncoding {
  /// Returns the index at which a text in UTF-8 begins: after its byte order mark; `nil` if the text is in
  /// another encoding.
  static func startOfUTF8(_ bytes: UnsafeRawBufferPointer) -> Int? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
    // No text in UTF-8 has a NUL, or the bytes of the other byte order marks.
    let isOther = bytes.prefix(4).contains(0) || bytes.prefix(2).contains { $0 >= 0xFE }
    return isOther ? nil : 0
  }
}
