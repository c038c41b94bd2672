/// Decoding of UTF-8 bytes.
extension [UInt8] {
  /// Returns whether a sequence of bytes is at an index.
  func has(_ bytes: [UInt8], at index: Int) -> Bool {
    guard index + bytes.count <= count else { return false }
    var offset = 0
    while offset < bytes.count {
      guard self[index + offset] == bytes[offset] else { return false }
      offset += 1
    }
    return true
  }

  /// Returns the length in bytes of the white space character at an index; 0 if there is none.
  func lengthOfSpace(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x80 { return byte == 0x20 || byte >= 0x09 && byte <= 0x0D ? 1 : 0 }
    // All other white space characters begin with one of these four bytes.
    guard byte == 0xC2 || byte == 0xE1 || byte == 0xE2 || byte == 0xE3,
      let scalar = scalar(at: index), scalar.properties.isWhitespace
    else { return 0 }
    return byte == 0xC2 ? 2 : 3
  }

  /// Returns the length in bytes of the line terminator at an index; 0 if there is none.
  func lengthOfLineEnd(at index: Int) -> Int {
    let byte = self[index]
    if byte < 0x80 {
      guard byte >= 0x0A, byte <= 0x0D else { return 0 }
      return byte == 0x0D && index + 1 < count && self[index + 1] == 0x0A ? 2 : 1
    }
    // U+0085, U+2028 and U+2029.
    if byte == 0xC2 { return has([0xC2, 0x85], at: index) ? 2 : 0 }
    guard byte == 0xE2 else { return 0 }
    return has([0xE2, 0x80, 0xA8], at: index) || has([0xE2, 0x80, 0xA9], at: index) ? 3 : 0
  }

  /// Returns the index of the scalar before an index, which must not be 0.
  func startOfScalar(before index: Int) -> Int {
    var start = index - 1
    while start > 0, self[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

  /// Returns the scalar at an index.
  func scalar(at index: Int) -> Unicode.Scalar? {
    let byte = self[index]
    let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
    let bytes = self[index..<Swift.min(index + length, count)]
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
  }

  /// Returns the character before an index; `nil` at the beginning.
  func character(before index: Int) -> Character? {
    guard index > 0 else { return nil }
    let last = self[index - 1]
    if last < 0x80 { return Character(Unicode.Scalar(last)) }
    var start = startOfScalar(before: index)
    if let scalar = scalar(at: start), !scalar.isMark { return Character(scalar) }
    // The end of a long character suffices.
    for _ in 0..<8 where start > 0 { start = startOfScalar(before: start) }
    return String(decoding: self[start..<index], as: UTF8.self).last
  }

  /// Returns the first scalar of the character at an index, which determines its kind; `nil` at the
  /// end.
  func character(at index: Int) -> Character? {
    guard index < count else { return nil }
    if self[index] < 0x80 { return Character(Unicode.Scalar(self[index])) }
    return scalar(at: index).map { Character($0) }
  }

  /// Returns whether the byte at an index forms a character with the following scalar, as in `*️⃣`.
  func isJoined(at index: Int) -> Bool {
    guard index + 1 < count, self[index + 1] >= 0x80, let next = scalar(at: index + 1) else {
      return false
    }
    return next.isMark
  }
}

extension Unicode.Scalar {
  /// Whether the scalar combines with the previous scalar, as an accent does.
  fileprivate var isMark: Bool {
    properties.isGraphemeExtend || properties.generalCategory == .spacingMark || value == 0x200D
  }
}
