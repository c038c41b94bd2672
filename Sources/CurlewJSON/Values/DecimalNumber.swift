/// A number as JSON writes it (RFC 8259 section 6): whole digits times a power of ten.
struct DecimalNumber {
  let isNegative: Bool
  /// The digits without the point; what is after the 19th is left out.
  let digits: UInt64
  /// The power of ten that the digits are multiplied by.
  let exponent: Int
  /// Whether the digits are all there are.
  let isExact: Bool
  /// Whether there is neither a fraction nor an exponent.
  let isInteger: Bool

  /// Reads a number; `nil` if the text is not one as a whole.
  @inline(__always)
  init?(_ bytes: UnsafeRawPointer, _ start: Int, _ end: Int) {
    var index = start
    isNegative = index < end && bytes.byte(index) == UInt8(ascii: "-")
    if isNegative { index &+= 1 }
    var digits: UInt64 = 0
    let firstWhole = index
    Self.read(&digits, bytes, &index, end)
    var count = index &- firstWhole
    guard count > 0, bytes.byte(firstWhole) != UInt8(ascii: "0") || count == 1 else { return nil }
    var exponent = 0
    var isInteger = true
    if index < end, bytes.byte(index) == UInt8(ascii: ".") {
      isInteger = false
      index &+= 1
      let firstFraction = index
      Self.read(&digits, bytes, &index, end)
      exponent = firstFraction &- index
      guard exponent < 0 else { return nil }
      count &-= exponent
    }
    let endOfDigits = index
    if index < end, bytes.byte(index) | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      index &+= 1
      guard let power = Self.power(bytes, &index, end) else { return nil }
      exponent &+= power
    }
    guard index == end else { return nil }
    self.isInteger = isInteger
    if _slowPath(count > 19) {
      (digits, exponent, isExact) = Self.cut(bytes, firstWhole, endOfDigits, exponent)
    } else {
      isExact = true
    }
    (self.digits, self.exponent) = (digits, exponent)
  }

  @inline(__always)
  private static func read(
    _ digits: inout UInt64, _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) {
    while index &+ 8 <= end {
      let eight = Eight.load(bytes, index, end)
      guard areDigits(eight) else { break }
      digits = digits &* 100_000_000 &+ value(eight)
      index &+= 8
    }
    while index < end {
      let digit = bytes.byte(index) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      digits = digits &* 10 &+ UInt64(digit)
      index &+= 1
    }
  }

  /// Whether all eight bytes are digits.
  @inline(__always)
  static func areDigits(_ eight: UInt64) -> Bool {
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    return (eight & high) | ((eight &+ 0x0606_0606_0606_0606) & high) >> 4
      == 0x3333_3333_3333_3333
  }

  /// Returns the number that eight digits are, by adding neighbours: 4 pairs, 2 pairs, 1.
  @inline(__always)
  private static func value(_ eight: UInt64) -> UInt64 {
    let digits = eight &- 0x3030_3030_3030_3030
    let pairs = digits &* 10 &+ digits >> 8
    let low = (pairs & 0x0000_00FF_0000_00FF) &* (100 &+ 1_000_000 << 32)
    let high = (pairs >> 16 & 0x0000_00FF_0000_00FF) &* (1 &+ 10_000 << 32)
    return (low &+ high) >> 32
  }

  /// Reads the digits of an exponent; one beyond all numbers is cut.
  private static func power(
    _ bytes: UnsafeRawPointer, _ index: inout Int, _ end: Int
  ) -> Int? {
    guard index < end else { return nil }
    let isNegative = bytes.byte(index) == UInt8(ascii: "-")
    if isNegative || bytes.byte(index) == UInt8(ascii: "+") { index += 1 }
    let first = index
    var power = 0
    while index < end {
      let digit = bytes.byte(index) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      power = min(power * 10 + Int(digit), 1 << 40)
      index += 1
    }
    guard index > first else { return nil }
    return isNegative ? -power : power
  }

  /// Returns the first 19 digits of a number that has more, without zeros before them.
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
