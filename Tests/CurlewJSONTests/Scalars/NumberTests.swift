import Foundation
import Testing

/// Decodes every text with every type.
@Suite(.timeLimit(.minutes(1)))
struct NumberTests {
  @Test func `integers are the same`() {
    expectSameAnywhere(
      Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self, UInt.self, UInt8.self,
      UInt16.self, UInt32.self, UInt64.self, UInt128.self, in: Numbers.all)
  }

  @Test func `other numbers are the same`() {
    expectSameAnywhere(Double.self, Float.self, Decimal.self, in: Numbers.all)
    expectSameAnywhere(
      Decimal.self,
      in: [
        "1" + "0".repeated(110), "0.12345678901234567890123456789",
        "0.30000000000000000000000000000000000001", "123456789012345678901234567890.12345678",
        "12345678901234567890123456789012345678", "123456789012345678901234567890123456789",
        "1234567890123456789012345678901234567890123456789",
        "0.1234567890123456789012345678901234567890123", "1e-5", "-1e-10", "99e126",
      ])
    #expect(expectSame(Decimal.self, "0.1").value == Decimal(string: "0.1"))
  }

  @Test func `other kinds of values are mismatches`() {
    let kinds = ["true", "false", "null", "\"1\"", "\"\"", "[]", "[1]", "{}", "{\"a\":1}"]
    expectSameAnywhere(
      Int.self, UInt8.self, Int128.self, Double.self, Float.self, Decimal.self, in: kinds)
    expectSameAnywhere(Bool.self, String.self, in: kinds + ["1", "0", "1.", "-"])
  }

  @Test func `words must be complete`() {
    expectSameAnywhere(
      Bool.self, JSONValue.self,
      in: [
        "tru", "truE", "True", "fals", "falsey", "nul", "nulll", "t", "f", "n", "truefalse", "nil",
        "TRUE", "undefined", "true1", "null null",
      ])
  }

  @Test func `an integer of hundreds of digits does not crash`() {
    // Foundation's decoder traps here, so there is no comparison.
    let text = "1" + String(repeating: "0", count: 200) + "e-184"
    for digits in [text, "[\(text)]", "-\(text)"] { _ = FastDecoding.outcome(Int.self, digits) }
    let quotient = "1" + String(repeating: "0", count: 200) + "e-170"
    _ = FastDecoding.outcome(Int128.self, quotient)
  }

  @Test func `a zero with an exponent is zero`() {
    for text in [
      "0e1", "0E1", "-0e1", "0.0e1", "0e12", "0e+1", "0e-5", "0.00e1", "0e999", "-0.000E-7",
    ] {
      #expect(FastDecoding.outcome([Double].self, "[\(text)]").value == [0], "\(text)")
      #expect(FastDecoding.outcome(Float.self, text).value == 0, "\(text)")
      #expect(
        FastDecoding.outcome(Double.self, text).value?.sign
          == (text.hasPrefix("-") ? .minus : .plus))
      #expect(FastDecoding.outcome(Int.self, text).value == 0, "\(text)")
    }
  }

  @Test func `values are what the text says`() {
    #expect(expectSame(UInt64.self, "18446744073709551615").value == .max)
    #expect(expectSame(Int64.self, "-9223372036854775808").value == .min)
    #expect(expectSame(Int128.self, "\(Int128.min)").value == .min)
    #expect(expectSame(UInt128.self, "\(UInt128.max)").value == .max)
    #expect(expectSame(Int.self, "1e2").value == 100)
    #expect(expectSame(Double.self, "-0").value?.sign == .minus)
  }

  /// Foundation only reports invalid JSON.
  @Test func `number that does not fit is named with its path`() {
    #expect(expectSame(Int8.self, "128").failure == .unfit("128"))
    #expect(expectSame(Int.self, "1.5").failure == .unfit("1.5"))
    #expect(expectSame(Double.self, "1e400").failure == .unfit("1e400"))
    #expect(
      expectSame([String: [Int8]].self, #"{"a": [1, 128]}"#).failure
        == .unfit("128", at: ["a", "Index 1#1"]))
  }
}
