/// A JSON number (RFC 8259 section 6): an integer times a power of ten.
struct DecimalNumber {
  let isNegative: Bool
  /// The digits without the decimal point, truncated to 19.
  let digits: UInt64
  /// The power of ten by which the digits are multiplied.
  let exponent: Int
  /// Whether the digits were not truncated.
  let isExact: Bool
  /// The number of digits in the text.
  let digitCount: Int
  /// Whether the number has neither a fraction nor an exponent.
  let isInteger: Bool

  /// The index after the number.
  let end: Int

  /// Parses the number at an index of a text; returns `nil` if there is none.
  ///
  /// - Parameter limit: The end of the text.
  @inline(__always)
  init?(
    _ bytes: UnsafeRawPointer, _ start: Int, _ limit: Int,
    _ powers: PowersOfTen = PowersOfTen.shared
  ) {
    var index = start
    isNegative = index < limit && bytes.byte(index) == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    var digits: UInt64 = 0
    let first = index
    Self.read(&digits, bytes, &index, limit, powers)
    var count = index &- first
    guard count > 0, bytes.byte(first) != UInt8(ascii: "0") || count == 1 else { return nil }
    var exponent = 0
    var isInteger = true
    if index < limit, bytes.byte(index) == UInt8(ascii: ".") {
      isInteger = false
      index &+= 1
      let firstFraction = index
      Self.read(&digits, bytes, &index, limit, powers)
      exponent = firstFraction &- index
      guard exponent < 0 else { return nil }
      count &-= exponent
    }
    let endOfDigits = index
    if index < limit, bytes.byte(index) | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index &+= 1
      guard let power = Self.power(bytes, &index, limit) else { return nil }
      exponent &+= power
    }
    self.isInteger = isInteger
    if _slowPath(count > 19) {
      (digits, exponent, isExact) = Self.cut(bytes, first, endOfDigits, exponent)
    } else {
      isExact = true
    }
    (self.digits, self.exponent, digitCount, end) = (digits, exponent, count, index)
  }

  /// Parses up to eight digits at a time.
  @inline(__always)
  private static func read(
    _ digits: inout UInt64, _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int,
    _ powers: PowersOfTen
  ) {
    while index < end {
      let eight = Eight.load(bytes, index, end)
      let count = Eight.digitCount(eight)
      digits = digits &* powers.whole[count] &+ Eight.number(eight, count)
      index &+= count
      if count < 8 { break }
    }
  }

  /// Parses the digits of an exponent, clamped beyond the range of all numbers.
  private static func power(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) -> Int? {
    guard index < end else { return nil }
    let isNegative = bytes.byte(index) == UInt8(ascii: "-")
    if isNegative || bytes.byte(index) == UInt8(ascii: "+") { index += 1 }
    let first = index
    var power: Int64 = 0
    while index < end {
      let digit = bytes.byte(index) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      power = min(power * 10 + Int64(digit), 1 << 40)
      index += 1
    }
    guard index > first else { return nil }
    return Int(clamping: isNegative ? -power : power)
  }

  /// Returns the first 19 significant digits of a longer number.
  @inline(never)
  private static func cut(
    _ bytes: UnsafeRawPointer, _ start: Int, _ end: Int, _ exponent: Int
  ) -> (digits: UInt64, exponent: Int, isExact: Bool) {
    var digits: UInt64 = 0
    var (count, dropped) = (0, 0)
    var isExact = true
    for index in start..<end {
      let digit = bytes.byte(index) &- UInt8(ascii: "0")
      guard digit < 10 else { continue }
      if count == 19 {
        dropped += 1
        if digit != 0 { isExact = false }
      } else if count > 0 || digit != 0 {
        digits = digits &* 10 &+ UInt64(digit)
        count += 1
      }
    }
    return (digits, exponent + dropped, isExact)
  }
}
