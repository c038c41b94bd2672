/// A check whether bytes are valid UTF-8 (RFC 3629 section 4).
///
/// The standard library's check visits each byte of mostly ASCII text, which makes decoding lists of issues 10 %
/// slower.
enum UTF8Check {
  static func isValid(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    var index = 0
    while index < count {
      let byte = bytes.byte(index)
      if byte < 0x80 {
        let isPlain =
          index &+ 8 <= count && Eight.load(bytes, index, count) & Eight.highBits == 0
        index &+= isPlain ? 8 : 1
        continue
      }
      // The first byte determines the length. Together with the second, it reveals overlong forms, surrogates, and
      // values beyond Unicode.
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch byte {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return false
      }
      guard index &+ length <= count, second.contains(bytes.byte(index &+ 1)),
        length < 3 || bytes.byte(index &+ 2) & 0xC0 == 0x80,
        length < 4 || bytes.byte(index &+ 3) & 0xC0 == 0x80
      else { return false }
      index &+= length
    }
    return true
  }
}
