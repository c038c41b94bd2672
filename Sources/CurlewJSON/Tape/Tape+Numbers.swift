extension Tape {
  /// Scans a possible number up to the first byte that can't be in a number; returns the number of words.
  ///
  /// An integer of up to 16 digits is stored in the word, unless its value doesn't determine its text. For other
  /// numbers, a second word has the nearest `Double`, or NaN if it is invalid or expensive to compute.
  @inline(__always)
  static func scanNumber(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int,
    _ words: UnsafeMutablePointer<UInt64>, _ powers: PowersOfTen
  ) -> Int {
    let start = index
    var double: Double?
    if let number = DecimalNumber(bytes, start, end, powers),
      number.end == end || !isOfNumber(bytes.byte(number.end))
    {
      index = number.end
      if number.isInteger, number.digitCount <= 16, !number.isNegative || number.digits != 0 {
        let value = Int64(truncatingIfNeeded: number.digits)
        words.pointee = Word(integer: number.isNegative ? 0 &- value : value).bits
        return 1
      }
      double = number.double(powers)
    } else {
      while index < end, isOfNumber(bytes.byte(index)) { index &+= 1 }
    }
    words.pointee = Word(Word.Kind.number, offset: start, length: index &- start).bits
    words[1] = (double ?? .nan).bitPattern
    return 2
  }

  /// Returns whether a byte can occur in a number.
  @inline(__always)
  private static func isOfNumber(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
  }
}
