extension DecimalNumber {
  /// The nearest number of type `Double`; `nil` where this takes more than 128 bits of a power of ten.
  ///
  /// The digits are multiplied by a power of five as its first 128 bits. Where what these leave out could
  /// change the rounding, there is no result. After D. Lemire, "Number Parsing at a Gigabyte per
  /// Second" (2021), section 5.
  @inline(__always)
  func double(_ powers: PowersOfTen = PowersOfTen.shared) -> Double? {
    guard isExact else { return nil }
    let magnitude: Double
    if digits <= 1 << 53, exponent >= -22, exponent <= 22 {
      // Both are exact, so that there is one rounding.
      let whole = Double(digits)
      magnitude =
        exponent < 0
        ? whole / powers.exact[-exponent]
        : whole * powers.exact[exponent]
    } else if digits == 0 {
      magnitude = 0
    } else {
      guard let product = product(powers) else { return nil }
      magnitude = product
    }
    return isNegative ? -magnitude : magnitude
  }

  @inline(__always)
  private func product(_ powers: PowersOfTen) -> Double? {
    guard let power = powers[exponent] else { return nil }
    let shift = digits.leadingZeroBitCount
    let factor = digits &<< UInt64(shift)
    // The product's 192 bits: high, middle, low.
    let first = factor.multipliedFullWidth(by: power.high)
    let second = factor.multipliedFullWidth(by: power.low)
    let (middle, carries) = first.low.addingReportingOverflow(second.high)
    let high = first.high &+ (carries ? 1 : 0)
    let low = second.low
    // What was left out of the power could change the middle bits by 1.
    guard power.isExact || middle != .max else { return nil }

    let isLong = high >> 63
    let dropped = UInt64(10) &+ isLong
    var significand = high &>> dropped
    let rest = high & ((1 &<< dropped) &- 1)
    let half: UInt64 = 1 &<< (dropped &- 1)
    if rest == half && middle == 0 {
      guard power.isExact else { return nil }
      if low > 0 || significand & 1 == 1 { significand &+= 1 }
    } else if rest >= half {
      significand &+= 1
    }
    // Both factors and the result are exact; its exponent is far from the ends of the range.
    let binary = power.exponent &- shift &+ 128 &+ Int(truncatingIfNeeded: dropped)
    let scale = Double(bitPattern: UInt64(truncatingIfNeeded: binary &+ 1023) &<< 52)
    return Double(significand) * scale
  }
}

/// Powers of ten for making numbers out of digits.
///
/// They are in memory that is never freed, because access to an array or a global variable is checked.
// Unchecked because nobody writes to the memory.
struct PowersOfTen: @unchecked Sendable {
  /// 10 to the power of an exponent: 5 to the same power, times a power of two.
  struct Power {
    /// The first 128 bits of the power of five, of which the first is set.
    let high: UInt64
    let low: UInt64
    /// The exponent of 2 that the 128 bits are multiplied by, for the power of ten.
    let exponent: Int
    /// Whether the 128 bits are all.
    let isExact: Bool
  }

  static let shared = PowersOfTen()

  /// The exponents that there are powers for: those whose fives are less than 2^128.
  private static let largest = 55

  /// The powers from 1 to 10^8.
  let whole: UnsafePointer<UInt64>
  /// The powers from 1 to 10^22, which a `Double` can be.
  let exact: UnsafePointer<Double>
  private let powers: UnsafePointer<Power>

  private init() {
    whole = Self.keep((0...8).map { (0..<$0).reduce(1) { power, _ in power * 10 } })
    exact = Self.keep((0...22).map { (0..<$0).reduce(1) { power, _ in power * 10 } })
    powers = Self.keep((-Self.largest...Self.largest).map(Self.power))
  }

  private static func keep<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    memory.initialize(from: elements, count: elements.count)
    return UnsafePointer(memory)
  }

  @inline(__always)
  subscript(exponent: Int) -> Power? {
    guard exponent >= -Self.largest, exponent <= Self.largest else { return nil }
    return powers[exponent &+ Self.largest]
  }

  private static func power(_ exponent: Int) -> Power {
    let five = (0..<exponent.magnitude).reduce(UInt128(1)) { power, _ in power * 5 }
    let zeros = five.leadingZeroBitCount
    guard exponent < 0 else {
      let bits = five << zeros
      return Power(
        high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits),
        exponent: exponent - zeros, isExact: true)
    }
    // 2^k / 5^n, digit by digit: `rest` is what is left of the last division.
    var (bits, rest) = (UInt128(0), UInt128(1) << (127 - zeros))
    for _ in 0..<128 {
      let isLarge = rest >= five - rest
      rest = isLarge ? rest - (five - rest) : rest + rest
      bits = bits << 1 | (isLarge ? 1 : 0)
    }
    return Power(
      high: UInt64(bits >> 64), low: UInt64(truncatingIfNeeded: bits),
      exponent: exponent - 128 - (127 - zeros), isExact: false)
  }
}
