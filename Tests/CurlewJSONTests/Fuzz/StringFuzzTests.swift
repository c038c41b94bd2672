import Foundation
import TestSupport
import Testing

/// Tests random strings with escapes, UTF-8 sequences of all lengths and damage, as values and as keys.
@Suite(.timeLimit(.minutes(10)))
struct StringFuzzTests {
  private static let pieces: [[UInt8]] =
    [
      "a", "bc", "defgh", "0123456789abcdef", " ", "/", "\u{7F}", "\u{E4}", "\u{7FF}", "\u{800}",
      "\u{20AC}", "\u{FFFD}", "\u{FFFF}", "\u{10000}",
      "\u{1F600}", "\u{10FFFF}", "e\u{301}", "\u{212A}", "\\n", "\\\"", "\\\\", "\\/", "\\u0041",
      "\\u00e4", "\\u20AC", "\\u0000", "\\ud83d\\ude00",
      "\\uDBFF\\uDFFF", "\\b\\f\\r\\t", "\\u001f", "\\uFFFF", "日本語テキスト", "\\u0301",
    ].map { Array($0.utf8) }

  private static let damage: [[UInt8]] =
    [
      "\\", "\\x", "\\u", "\\u12", "\\u12g4", "\\ud83d", "\\ude00", "\\ud83d\\u0041", "\\U0041",
      "\"", "\t", "\n", "\u{0}", "\u{1F}",
    ].map { Array($0.utf8) }
    + [
      [0x80], [0xC3], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xF8],
    ]

  private func content(_ random: inout SeededGenerator, damaged: Bool) -> [UInt8] {
    let count = random.pick(0...(random.chance(oneIn: 5) ? 30 : 6))
    var bytes = (0..<count).flatMap { _ in random.pick(Self.pieces) }
    guard damaged else { return bytes }
    let index = random.pick(0...bytes.count)
    if random.chance(oneIn: 4), index < bytes.count {
      bytes.remove(at: index)
    } else {
      bytes.insert(contentsOf: random.pick(Self.damage), at: index)
    }
    return bytes
  }

  @Test func `random strings are the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(6))
    for _ in 0..<Fuzz.runs(5_000, of: 5) {
      let first = content(&random, damaged: random.chance(oneIn: 4))
      let second = content(&random, damaged: random.chance(oneIn: 4))
      func document(_ parts: [UInt8]...) -> Data { Data(parts.joined()) }
      func text(_ text: String) -> [UInt8] { Array(text.utf8) }
      expectSame([String].self, document(text("[\""), first, text("\",\""), second, text("\"]")))
      expectSame(
        [String: String].self, document(text("{\""), first, text("\":\""), second, text("\"}")))
      expectSame(
        Maybe<String>.self, document(text("{\""), first, text("\":1,\"v\":\""), second, text("\"}"))
      )
      expectSame(
        Maybe<Int>.self,
        document(text("{\"w\":\""), first, text("\",\"v\":1,\""), second, text("\":0}")))
    }
  }

  @Test func `random snake case is the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(7))
    let alphabet = [
      "_", "_", "_", "a", "b", "B", "Z", "1", "\u{E4}", "\u{C4}", "\u{DF}", "\u{1F600}", "'", "-",
      ".", " ", "\u{301}", "\\u005f", "\\u0061", "\u{FB01}", "\u{130}", "\\u0000",
    ]
    for _ in 0..<Fuzz.runs(3_000, of: 8) {
      let key = (0..<random.pick(0...10)).map { _ in random.pick(alphabet) }.joined()
      expectSame(KeyStrategyTests.Keys.self, "{\"\(key)\":1}", configure: snakeCase)
    }
  }

  @Test func `random dates are the same`() {
    var random = SeededGenerator(seed: Fuzz.seed(8))
    for _ in 0..<Fuzz.runs(3_000, of: 8) {
      func number(_ range: ClosedRange<Int>, _ digits: Int) -> String {
        String(format: "%0\(digits)d", random.pick(range))
      }
      var text =
        "\(number(0...9999, 4))-\(number(0...13, 2))-\(number(0...32, 2))T\(number(0...25, 2)):\(number(0...60, 2)):\(number(0...61, 2))"
      text += random.pick([
        "Z", "Z", "Z", "+0\(random.pick(0...9)):00", "-1\(random.pick(0...9)):30", "", ".123Z",
      ])
      if random.chance(oneIn: 3), let index = text.indices.randomElement(using: &random) {
        text.replaceSubrange(
          index...index, with: random.pick(["", "x", "0", "-", ":", " ", "Z", "9", "\u{E4}"]))
      }
      expectSame([Date].self, "[\"\(text)\"]", configure: iso8601)
    }
  }
}
