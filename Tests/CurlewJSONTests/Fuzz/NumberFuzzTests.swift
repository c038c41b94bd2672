import Foundation
import TestSupport
import Testing

/// Compares random valid and malformed numbers bit by bit.
@Suite(.timeLimit(.minutes(10)))
struct NumberFuzzTests {
  private func check(_ types: any (Decodable & Equatable).Type..., in texts: [String]) {
    func check<T: Decodable & Equatable>(_ type: T.Type) {
      // Decoding several numbers at once is faster; after a failure, each is compared separately.
      let several = Comparison([T].self, Data(texts.array.utf8))
      #expect(several.difference == nil)
      guard several.outcome.value == nil, texts.count > 1 else { return }
      for text in texts { expectSame([T].self, "[\(text)]") }
    }
    for type in types { check(type) }
  }

  private func digits(_ random: inout SeededGenerator, _ count: Int) -> String {
    String((0..<count).map { _ in random.pick(Array("0123456789")) })
  }

  /// Returns a number with 1 to 25 digits, a fraction and an exponent.
  private func decimal(_ random: inout SeededGenerator) -> String {
    var text = random.chance(oneIn: 2) ? "-" : ""
    text +=
      random.chance(oneIn: 4) ? "0" : "\(random.pick(1...9))\(digits(&random, random.pick(0...24)))"
    if random.chance(oneIn: 2) { text += ".\(digits(&random, random.pick(1...25)))" }
    if random.chance(oneIn: 2) {
      let range = random.chance(oneIn: 3) ? 400 : 30
      text += "\(random.pick(["e", "E"]))\(random.pick(["", "+", "-"]))\(random.pick(0...range))"
    }
    return text
  }

  @Test func `decimal texts are the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(1))
    for _ in 0..<Fuzz.runs(4_000, of: 6) / 8 {
      let texts = (0..<8).map { _ in decimal(&random) }
      check(
        Double.self, Float.self, Int.self, UInt64.self, Decimal.self, Int128.self, in: texts)
    }
  }

  @Test func `every double is read back`() {
    var random = SeededGenerator(seed: Fuzz.seed(2))
    for _ in 0..<Fuzz.runs(8_000, of: 4) / 16 {
      let values = (0..<16).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
      check(Double.self, Float.self, in: values.map { "\($0)" })
      check(Double.self, in: values.map { String(format: "%.\(random.pick(0...20))e", $0) })
      let floats = (0..<16).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      }.filter(\.isFinite)
      check(Float.self, in: floats.map { "\($0)" })
      check(Double.self, in: floats.map { "\(Double($0))" })
    }
  }

  /// Tests numbers next to the midpoint between two adjacent values, where the last digit determines the rounding.
  @Test func `middles are rounded the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(3))
    for _ in 0..<Fuzz.runs(1_500, of: 20) {
      let value = Double(bitPattern: random.next() & 0x7FFF_FFFF_FFFF_FFFF)
      // In the range of `Float`, and printable in a few hundred digits.
      guard value.isFinite, (1e-38..<3e38).contains(value) else { continue }
      let float = Float(value)
      let middle = (Double(float) + Double(float.nextUp)) / 2
      let exact = String(format: "%.200f", middle)
      check(Float.self, in: [exact, exact + "1", String(exact.dropLast(random.pick(1...190)))])
      let double = String(format: "%.200f", value)
      check(Double.self, in: [double, String(double.dropLast(random.pick(1...190)))])
    }
  }

  @Test func `integers near the ends of all widths are the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(4))
    for _ in 0..<Fuzz.runs(1_500, of: 20) {
      let bits = random.pick(0...127)
      let power = (UInt128(1) << UInt128(bits)) &+ UInt128(random.pick(0...4)) &- 2
      let text =
        "\(random.pick(["", "-"]))\(power)\(random.pick(["", "", "", ".0", "e0", ".5", "0", "E-1", ".00e1"]))"
      check(
        Int.self, Int8.self, Int16.self, Int32.self, UInt8.self, UInt16.self, UInt32.self,
        UInt64.self, Int128.self, UInt128.self, Double.self, in: [text])
    }
  }

  @Test func `what is nearly a number is the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(5))
    for _ in 0..<Fuzz.runs(3_000, of: 10) {
      let alphabet = Array("0001239.-+eE")
      let text = String((0..<random.pick(1...9)).map { _ in random.pick(alphabet) })
      check(Double.self, Int.self, UInt8.self, Float.self, Decimal.self, in: [text])
    }
  }
}
