extension Tape {
  /// The maximum nesting depth of objects and arrays, as in Foundation.
  static let maximumDepth = 512

  /// Scans the structure of the text; returns where it is not JSON's.
  ///
  /// Numbers and strings are checked only to find their ends, as in Foundation.
  mutating func scan() -> JSONFault? {
    let (bytes, end, open, seed) = (bytes, byteCount, open, seed)
    var (index, count) = (0, 0)
    var words = words
    // Reserves the words of a member and the null at the end.
    var room = capacity - 4
    var depth = 0
    var current = Open()

    while true {
      if _slowPath(count > room) {
        grow()
        (words, room) = (self.words, capacity - 4)
      }
      var byte = Self.skipSpace(bytes, &index, end)
      if current.kind >= Word.Kind.object {
        guard byte == UInt8(ascii: "\"") else {
          return fault(at: index, expected: "a key in quotation marks")
        }
        guard Self.scanKey(bytes, &index, end, words + count, &current.kind, seed) else {
          return stringFault(at: index + 1)
        }
        count &+= 1
        guard Self.skipSpace(bytes, &index, end) == UInt8(ascii: ":") else {
          return fault(at: index, expected: "a colon after the key")
        }
        index &+= 1
        byte = Self.skipSpace(bytes, &index, end)
      }

      switch byte {
      case UInt8(ascii: "\""):
        guard Self.scanString(bytes, &index, end, words + count) else {
          return stringFault(at: index + 1)
        }
        count &+= 1
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < Self.maximumDepth else {
          return fault(at: index, "there are more than \(Self.maximumDepth) levels of nesting.")
        }
        open[depth] = current
        depth &+= 1
        let isObject = byte == UInt8(ascii: "{")
        current = Open(
          header: count, members: 0, kind: isObject ? Word.Kind.object : Word.Kind.array)
        count &+= 1
        index &+= 1
        // In ASCII, `]` and `}` are two after `[` and `{`.
        guard Self.skipSpace(bytes, &index, end) == byte &+ 2 else { continue }
        index &+= 1
        words[current.header] = Word(current.kind, offset: count, length: 0).bits
        depth &-= 1
        current = open[depth]
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        count &+= Self.scanNumber(bytes, &index, end, words + count, powers)
      case UInt8(ascii: "n"):
        guard Self.take("null", bytes, &index, end) else {
          return fault(at: index, expected: "a value")
        }
        words[count] = Word(Word.Kind.null).bits
        count &+= 1
      case UInt8(ascii: "t"):
        guard Self.take("true", bytes, &index, end) else {
          return fault(at: index, expected: "a value")
        }
        words[count] = Word(Word.Kind.yes).bits
        count &+= 1
      case UInt8(ascii: "f"):
        guard Self.take("false", bytes, &index, end) else {
          return fault(at: index, expected: "a value")
        }
        words[count] = Word(Word.Kind.no).bits
        count &+= 1
      default:
        return fault(at: index, expected: "a value")
      }

      // After a value: a comma, or the ends of the enclosing objects and arrays.
      while true {
        let byte = Self.skipSpace(bytes, &index, end)
        if depth == 0 {
          guard index == end else { return fault(at: index, expected: "nothing more") }
          self.end(at: count)
          return nil
        }
        current.members &+= 1
        index &+= 1
        if byte == UInt8(ascii: ",") { break }
        let isArray = current.kind == Word.Kind.array
        guard byte == UInt8(ascii: isArray ? "]" : "}") else {
          return fault(at: index - 1, expected: isArray ? "a comma or ]" : "a comma or }")
        }
        words[current.header] =
          Word(current.kind, offset: count, length: current.members).bits
        depth &-= 1
        current = open[depth]
      }
    }
  }

  /// Skips whitespace; returns the next byte, or 0 at the end.
  @inline(__always)
  private static func skipSpace(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) -> UInt8 {
    while index < end {
      let byte = bytes.byte(index)
      if byte > 0x20 { return byte }
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      index &+= 1
    }
    return 0
  }

  @inline(__always)
  private static func take(
    _ word: StaticString, _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) -> Bool {
    guard index &+ word.utf8CodeUnitCount <= end,
      (bytes + index).hasBytes(of: word.utf8Start, count: word.utf8CodeUnitCount)
    else { return false }
    index &+= word.utf8CodeUnitCount
    return true
  }
}
