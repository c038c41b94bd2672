extension Tape {
  /// Returns the string at an index of the tape; `nil` if it is not a string, or malformed.
  @inline(__always)
  func string(at index: Int) -> String? {
    let word = self[index]
    switch word.kind {
    case Word.Kind.ascii: return Self.ascii(bytes + word.offset, word.length)
    case Word.Kind.utf8: return Self.utf8(bytes + word.offset, word.length)
    case Word.Kind.escaped: return Self.unescaped(bytes, byteCount, word.offset, word.length)
    default: return nil
    }
  }

  /// Returns an object's key; `nil` if it is not a valid string.
  func string(_ key: KeyWord) -> String? {
    guard key.isOdd else { return Self.ascii(bytes + key.offset, key.length) }
    return Self.unescaped(bytes, byteCount, key.offset, key.length)
  }

  /// Returns the string of ASCII bytes.
  @inline(__always)
  private static func ascii(_ start: UnsafeRawPointer, _ count: Int) -> String {
    let buffer = UnsafeRawBufferPointer(start: start, count: count)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return String(decoding: buffer, as: UTF8.self)
    }
    // The scanner has checked the bytes already.
    let text = buffer.bindMemory(to: UInt8.self).span
    return String(copying: UTF8Span(unchecked: text, isKnownASCII: true))
  }

  /// Returns the string of UTF-8 bytes; `nil` if they are not UTF-8.
  @inline(never)
  private static func utf8(_ start: UnsafeRawPointer, _ count: Int) -> String? {
    guard UTF8Check.isValid(start, count) else { return nil }
    let buffer = UnsafeRawBufferPointer(start: start, count: count)
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return String(decoding: buffer, as: UTF8.self)
    }
    let text = buffer.bindMemory(to: UInt8.self).span
    return String(copying: UTF8Span(unchecked: text))
  }

  /// Returns the string with its escapes decoded (RFC 8259 section 7); `nil` if an escape is invalid, a control
  /// character is unescaped, or the bytes are not UTF-8.
  @inline(never)
  private static func unescaped(
    _ bytes: UnsafeRawPointer, _ byteCount: Int, _ offset: Int, _ length: Int
  ) -> String? {
    // An escape is at least as long as its decoded bytes. Sixteen bytes are written at a time.
    withUnsafeTemporaryAllocation(byteCount: length + 16, alignment: 16) { output in
      output.baseAddress.flatMap { unescaped(bytes, byteCount, offset, length, $0) }
    }
  }

  @inline(__always)
  private static func unescaped(
    _ bytes: UnsafeRawPointer, _ byteCount: Int, _ offset: Int, _ length: Int,
    _ output: UnsafeMutableRawPointer
  ) -> String? {
    let end = offset + length
    var (index, count) = (offset, 0)
    var seen: UInt64 = 0
    while index < end {
      if bytes.byte(index) == UInt8(ascii: "\\") {
        guard let character = escape(bytes, &index, end) else { return nil }
        if character < 0x80 {
          output.storeBytes(
            of: UInt8(truncatingIfNeeded: character), toByteOffset: count, as: UInt8.self)
          count &+= 1
        } else {
          seen = Eight.highBits
          count = write(character, to: output, count)
        }
      } else if index &+ 16 <= byteCount {
        let sixteen = Sixteen(specialsIn: bytes, index)
        output.storeBytes(of: sixteen.bytes, toByteOffset: count, as: SIMD2<UInt64>.self)
        let plain = min(sixteen.count, end &- index)
        // Only a backslash, or the bytes after the string, may come next.
        guard plain > 0 else { return nil }
        seen |= sixteen.seen
        index &+= plain
        count &+= plain
      } else {
        let byte = bytes.byte(index)
        guard byte >= 0x20 else { return nil }
        output.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        seen |= UInt64(byte)
        index &+= 1
        count &+= 1
      }
    }
    guard seen & Eight.highBits == 0 else { return utf8(UnsafeRawPointer(output), count) }
    return ascii(UnsafeRawPointer(output), count)
  }

  /// Parses an escape; returns its character.
  @inline(__always)
  static func escape(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) -> UInt32? {
    guard index + 1 < end else { return nil }
    let letter = bytes.byte(index + 1)
    index += 2
    switch letter {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt32(letter)
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let unit = hexadecimal(bytes, index, end) else { return nil }
    index += 4
    guard unit & 0xF800 == 0xD800 else { return unit }
    // The first half of a surrogate pair requires the second.
    guard unit < 0xDC00, index + 6 <= end, bytes.byte(index) == UInt8(ascii: "\\"),
      bytes.byte(index + 1) == UInt8(ascii: "u"),
      let second = hexadecimal(bytes, index + 2, end), second & 0xFC00 == 0xDC00
    else { return nil }
    index += 6
    return 0x10000 + (unit & 0x3FF) << 10 + (second & 0x3FF)
  }

  @inline(__always)
  private static func hexadecimal(
    _ bytes: UnsafeRawPointer, _ index: Int, _ end: Int
  ) -> UInt32? {
    guard index + 4 <= end else { return nil }
    var value: UInt32 = 0
    for offset in 0..<4 {
      let byte = bytes.byte(index + offset)
      let digit = byte &- UInt8(ascii: "0")
      let letter = (byte | 0x20) &- UInt8(ascii: "a")
      guard digit < 10 || letter < 6 else { return nil }
      value = value << 4 | UInt32(digit < 10 ? digit : letter + 10)
    }
    return value
  }

  /// Writes a non-ASCII character as UTF-8; returns the new number of bytes.
  @inline(__always)
  private static func write(
    _ character: UInt32, to output: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    func put(_ byte: UInt32, _ offset: Int) {
      output.storeBytes(
        of: UInt8(truncatingIfNeeded: byte), toByteOffset: count + offset, as: UInt8.self)
    }
    switch character {
    case ..<0x800:
      put(0xC0 | character >> 6, 0)
      put(0x80 | character & 0x3F, 1)
      return count + 2
    case ..<0x10000:
      put(0xE0 | character >> 12, 0)
      put(0x80 | character >> 6 & 0x3F, 1)
      put(0x80 | character & 0x3F, 2)
      return count + 3
    default:
      put(0xF0 | character >> 18, 0)
      put(0x80 | character >> 12 & 0x3F, 1)
      put(0x80 | character >> 6 & 0x3F, 2)
      put(0x80 | character & 0x3F, 3)
      return count + 4
    }
  }
}
