import Foundation
import Testing

/// A `Float` is the nearest to the text, not to the `Double` that is nearest to the text.
@Suite(.timeLimit(.minutes(1)))
struct FloatRoundingTests {
  /// Decimal texts just beside the middle between two Floats, which round to it as Doubles.
  private static let nearMiddles: [String] = {
    var texts: [String] = []
    for value: Float in [
      1, 1.5, 3, 16_777_216, 0.1, 1e10, 1e-10, 3e38, 2e-38, .leastNonzeroMagnitude * 70_000,
    ] {
      let middle = (Double(value) + Double(value.nextUp)) / 2
      let digits = exactDecimal(middle)
      let dot = digits.contains(".") ? "" : "."
      texts += [
        digits, digits + dot + String(repeating: "0", count: 30) + "1",
        exactDecimal(middle, less: true),
      ]
    }
    return texts
  }()

  /// Returns all digits of a number, or of a little less.
  private static func exactDecimal(_ value: Double, less: Bool = false) -> String {
    let text = String(format: "%.160f", value)
    guard less else { return trimmed(text) }
    var digits = Array(trimmed(text))
    guard let last = digits.lastIndex(where: { ("1"..."9").contains($0) }) else { return text }
    let digit = digits[last].wholeNumberValue ?? 1
    digits[last] = Character("\(digit - 1)")
    let tail = String(repeating: "9", count: 25)
    for index in digits.indices where index > last && digits[index] == "0" { digits[index] = "9" }
    return String(digits) + (digits.contains(".") ? tail : "." + tail)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
  }

  @Test func nearTheMiddleOfTwoFloatsIsRoundedOnce() {
    for text in Self.nearMiddles {
      expectSame(Float.self, text)
      expectSame(Float.self, "-\(text)")
      expectSame([Float].self, "[\(text), 1, \(text)]")
      expectSame(Double.self, text)
    }
    // Rounded to Double first, this is the middle itself, and then 1.
    #expect(expectSame(Float.self, "1.00000005960464477540").value == Float(1).nextUp)
    #expect(expectSame(Float.self, "1.00000005960464477538").value == 1)
  }

  /// Texts of 17 to 19 digits, whose nearest Double is in the middle of two Floats.
  @Test func shortTextsBesideTheMiddleAreRoundedOnce() {
    for text in [
      "16777217.000000001", "16777216.999999999", "16777219.000000001", "16777218.999999999",
      "33554434.000000001", "1677721.7000000000001", "8388608.5000000001", "8388608.4999999999",
      "1.6777217000000001e7", "16777217000000001e-9", "1.000000059604644776",
      "1.000000059604644775", "0.50000002980232238774", "2.000000119209289551",
      "281474993487872.01", "281474993487872", "281474993487871.99", "9007199791611904001e-3",
    ] {
      expectSame(Float.self, text)
      expectSame([Float].self, "[\(text),-\(text)]")
      expectSame(Maybe<Float>.self, "{\"v\":\(text)}")
      expectSame(Double.self, text)
    }
    #expect(expectSame(Float.self, "16777217.000000001").value == 16_777_218)
    #expect(expectSame(Float.self, "16777217").value == 16_777_216)
  }

  @Test func subnormalsAreTheSame() {
    for exponent in -330 ... -300 {
      expectSame(Double.self, "1e\(exponent)")
      expectSame(Double.self, "9.87654321e\(exponent)")
    }
    for exponent in -50 ... -35 {
      expectSame(Float.self, "1e\(exponent)")
      expectSame(Float.self, "-4.567890123e\(exponent)")
    }
    for bits in [1, 2, 3, 0xF_FFFF_FFFF_FFFF, 0x10_0000_0000_0000] as [UInt64] {
      expectSame(Double.self, "\(Double(bitPattern: bits))")
    }
  }

  @Test func middlesOfTwoDoublesAreRoundedToEven() {
    for text in [
      "9007199254740993", "9007199254740995", "9007199254740993.00000000000000000000000000001",
      "9007199254740992.999999999999999999999999", "1.00000000000000011102230246251565404",
      "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126", "8.5e15", "18014398509481985",
      "2.4703282292062327208e-324", "2.4703282292062328e-324", "1.797693134862315807e308",
      "6.631236846766476e-316", "3.2378839133029012895883524125015321748630994e-319",
    ] {
      expectSame(Double.self, text)
      expectSame([Double].self, "[\(text)]")
    }
  }

  @Test func manyDigitsAreAllRead() {
    for count in [16, 17, 18, 19, 20, 21, 25, 40, 100, 400, 800, 1_200] {
      let digits = String(repeating: "7", count: count)
      expectSame(Double.self, "0.\(digits)")
      expectSame(Float.self, "0.\(digits)")
      expectSame(Double.self, "\(digits)e-\(count)")
      expectSame(Double.self, "0.\(String(repeating: "0", count: count))\(digits)")
      expectSame(Double.self, "\(digits).\(digits)")
      expectSame(Double.self, "1\(String(repeating: "0", count: count))")
    }
  }
}
