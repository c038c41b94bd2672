extension Tape {
  /// Scans what begins as a number up to the first byte that can't be in one.
  ///
  /// An integer of up to 16 digits is put into the word, unless its text can't be made from its value.
  @inline(__always)
  static func scanNumber(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int,
    _ word: UnsafeMutablePointer<UInt64>
  ) {
    let start = index
    let isNegative = bytes.byte(index) == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    let first = index
    var value = 0
    while index < end {
      let digit = bytes.byte(index) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      index &+= 1
    }
    let digits = index &- first
    let isWhole = index == end || !isOfNumber(bytes.byte(index))
    if _fastPath(isWhole && digits > 0 && digits <= 16) {
      let isCanonical =
        bytes.byte(first) != UInt8(ascii: "0") || (digits == 1 && !isNegative)
      if _fastPath(isCanonical) {
        word.pointee = Word(integer: isNegative ? -value : value).bits
        return
      }
    }
    while index < end, isDigitOrOfNumber(bytes.byte(index)) { index &+= 1 }
    word.pointee = Word(Word.Kind.number, offset: start, length: index &- start).bits
  }

  /// Whether a byte that is no digit continues a number.
  @inline(__always)
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+")
  }

  @inline(__always)
  private static func isDigitOrOfNumber(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || isOfNumber(byte)
  }
}
