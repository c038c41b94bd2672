import CurlewJSON
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Random numbers and what nearly are some, bit by bit.
@Suite(.timeLimit(.minutes(10)))
struct NumberFuzzTests {
  private static let decoders = (JSONDecoder(), FastJSONDecoder())

  private func check<T: Decodable & Equatable>(_ type: T.Type, _ texts: [String]) {
    let data = Data("[\(texts.joined(separator: ","))]".utf8)
    let (foundation, ours) = Self.decoders
    let expected = Outcome { try foundation.decode([T].self, from: data) }
    let outcome = Outcome { try ours.decode([T].self, from: data) }
    if case (.value(let expected), .value(let values)) = (expected, outcome) {
      for (index, text) in texts.enumerated() where !areSame(expected[index], values[index]) {
        Issue.record("\(text) as \(type): Foundation \(expected[index]), ours \(values[index])")
      }
    } else if texts.count > 1 {
      for text in texts { check(type, [text]) }
    } else if !agree(expected, outcome, data) {
      Issue.record("\(texts) as \(type): Foundation \(expected), ours \(outcome)")
    }
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

  @Test func decimalTextsAreTheSame() {
    var random = SeededGenerator(seed: Fuzz.seed(1))
    for _ in 0..<Fuzz.runs(4_000, of: 6) / 8 {
      let texts = (0..<8).map { _ in decimal(&random) }
      check(Double.self, texts)
      check(Float.self, texts)
      check(Int.self, texts)
      check(UInt64.self, texts)
      check(Decimal.self, texts)
      check(Int128.self, texts)
    }
  }

  @Test func everyDoubleIsReadBack() {
    var random = SeededGenerator(seed: Fuzz.seed(2))
    for _ in 0..<Fuzz.runs(8_000, of: 4) / 16 {
      let values = (0..<16).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
      check(Double.self, values.map { "\($0)" })
      check(Float.self, values.map { "\($0)" })
      check(Double.self, values.map { String(format: "%.\(random.pick(0...20))e", $0) })
      let floats = (0..<16).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      }.filter(\.isFinite)
      check(Float.self, floats.map { "\($0)" })
      check(Double.self, floats.map { "\(Double($0))" })
    }
  }

  /// Numbers beside the middle between two neighbours, where rounding is decided by the last digit.
  @Test func middlesAreRoundedTheSame() {
    var random = SeededGenerator(seed: Fuzz.seed(3))
    for _ in 0..<Fuzz.runs(1_500, of: 20) {
      let value = Double(bitPattern: random.next() & 0x7FFF_FFFF_FFFF_FFFF)
      // Exactly printable in a few hundred digits.
      guard value.isFinite, (1e-30..<1e30).contains(value) else { continue }
      let float = Float(value)
      let middle = (Double(float) + Double(float.nextUp)) / 2
      let exact = String(format: "%.150f", middle)
      check(Float.self, [exact, exact + "1", String(exact.dropLast(random.pick(1...140)))])
      let double = String(format: "%.170f", value)
      check(Double.self, [double, String(double.dropLast(random.pick(1...150)))])
    }
  }

  @Test func integersNearTheEndsOfAllWidthsAreTheSame() {
    var random = SeededGenerator(seed: Fuzz.seed(4))
    for _ in 0..<Fuzz.runs(1_500, of: 20) {
      let bits = random.pick(0...127)
      let power = (UInt128(1) << UInt128(bits)) &+ UInt128(random.pick(0...4)) &- 2
      let text =
        "\(random.pick(["", "-"]))\(power)\(random.pick(["", "", "", ".0", "e0", ".5", "0", "E-1", ".00e1"]))"
      check(Int.self, [text])
      check(Int8.self, [text])
      check(Int16.self, [text])
      check(Int32.self, [text])
      check(UInt8.self, [text])
      check(UInt16.self, [text])
      check(UInt32.self, [text])
      check(UInt64.self, [text])
      check(Int128.self, [text])
      check(UInt128.self, [text])
      check(Double.self, [text])
    }
  }

  @Test func whatIsNearlyANumberIsTheSame() {
    var random = SeededGenerator(seed: Fuzz.seed(5))
    for _ in 0..<Fuzz.runs(3_000, of: 10) {
      let alphabet = Array("0001239.-+eE")
      let text = String((0..<random.pick(1...9)).map { _ in random.pick(alphabet) })
      check(Double.self, [text])
      check(Int.self, [text])
      check(UInt8.self, [text])
      check(Float.self, [text])
      check(Decimal.self, [text])
    }
  }
}
