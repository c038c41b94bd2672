import CurlewJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NonConformingFloatTests {
  private let texts = [
    "\"inf\"", "\"-inf\"", "\"nan\"", "\"NaN\"", "\"\"", "\"in\\u0066\"", "\"infinity\"", "1.5",
    "null", "\"\\u00e4\"", "\"\u{E4}\"", "1e400", "\"1.5\"", "[]", "true",
  ]

  private static func convert(_ decoder: JSONDecoder) {
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
  }

  private func check(_ configure: (JSONDecoder) -> Void) {
    expectSameAnywhere(
      Double.self, Float.self, Int.self, Decimal.self, in: texts, configure: configure)
  }

  @Test func `they fail unless converted`() {
    check { $0.nonConformingFloatDecodingStrategy = .throw }
  }

  @Test func `their strings are converted`() {
    check(Self.convert)
    let outcome = expectSame(
      [Double].self, "[\"inf\", \"-inf\", \"nan\", 1]", configure: Self.convert)
    #expect(outcome.value?.first == .infinity)
    #expect(outcome.value?[2].isNaN == true)
  }

  @Test func `their strings may be equal or not ASCII`() {
    check {
      $0.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "nan", negativeInfinity: "\u{E4}", nan: "nan")
    }
  }

  @Test func `an empty string for one does not crash`() throws {
    // Foundation's decoder traps here.
    let decoder = FastJSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "", negativeInfinity: "-", nan: "")
    #expect(
      try decoder.decode([Double].self, from: Data("[\"\",\"-\"]".utf8)) == [.infinity, -.infinity])
  }

  @Test func `dates of numbers take them`() {
    for strategy in [.secondsSince1970, .millisecondsSince1970, .deferredToDate]
      as [JSONDecoder.DateDecodingStrategy]
    {
      for text in texts {
        expectSame([Moment].self, "[\(text)]") {
          $0.dateDecodingStrategy = strategy
          Self.convert($0)
        }
      }
    }
  }

  /// The bits of a date, because the description of a NaN date traps.
  struct Moment: Decodable, Equatable {
    let bits: UInt64
    init(from decoder: any Decoder) throws {
      let date = try decoder.singleValueContainer().decode(Date.self)
      bits = date.timeIntervalSinceReferenceDate.bitPattern
    }
  }
}
