extension DecimalNumber {
  /// The nearest `Double`; `nil` if it can't be determined with 128 bits of a power of ten.
  ///
  /// The digits are multiplied by the first 128 bits of a power of five. If the missing bits could change the rounding,
  /// there is no result. See D. Lemire, "Number Parsing at a Gigabyte per Second" (2021), section 5.
  @inline(__always)
  func double(_ powers: PowersOfTen = PowersOfTen.shared) -> Double? {
    guard isExact else { return nil }
    let magnitude: Double
    if digits <= 1 << 53, exponent >= -22, exponent <= 22 {
      // Both operands are exact, so the result is rounded once.
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
    // The missing bits of the power could change the middle bits by 1.
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
    // Both factors and the result are exact; the exponent is far from the limits.
    let binary = power.exponent &- shift &+ 128 &+ Int(truncatingIfNeeded: dropped)
    let scale = Double(bitPattern: UInt64(truncatingIfNeeded: binary &+ 1023) &<< 52)
    return Double(significand) * scale
  }
}

/// Powers of ten for converting digits to numbers.
///
/// Stored in memory that is never freed, because access to an array or a global variable has checks.
// Unchecked because the memory is immutable after initialization.
struct PowersOfTen: @unchecked Sendable {
  /// A power of ten, as the same power of five times a power of two.
  struct Power {
    /// The first 128 bits of the power of five; the first bit is set.
    let high: UInt64
    let low: UInt64
    /// The exponent of the power of two by which the 128 bits are multiplied.
    let exponent: Int
    /// Whether the 128 bits are exact.
    let isExact: Bool
  }

  static let shared = PowersOfTen()

  /// The largest exponent whose power of five is less than 2^128.
  private static let largest = 55

  /// The powers from 1 to 10^8.
  let whole: UnsafePointer<UInt64>
  /// The powers from 1 to 10^22, which `Double` represents exactly.
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
    // 2^k / 5^n by long division: `rest` is the remainder.
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
