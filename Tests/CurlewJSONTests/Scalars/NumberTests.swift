import Foundation
import Testing

/// Every text in every type, alone, as an element, as a field and as an optional field.
@Suite(.timeLimit(.minutes(1)))
struct NumberTests {
  private func check<T: Decodable & Equatable>(_ type: T.Type, _ texts: [String] = Numbers.all) {
    for text in texts {
      expectSame(type, text)
      expectSame([T].self, "[\(text),\(text)]")
      expectSame([T?].self, "[null, \(text) ]")
      expectSame(Holder<T>.self, "{\"v\":\(text)}")
      expectSame(Maybe<T>.self, "{\"v\": \(text) , \"w\": 1}")
      expectSame(Maybe<[T]>.self, "{\"v\": [\(text)]}")
      expectSame([String: T].self, "{\"k\":\(text)}")
    }
  }

  @Test func signedIntegersAreTheSame() {
    check(Int.self)
    check(Int8.self)
    check(Int16.self)
    check(Int32.self)
    check(Int64.self)
  }

  @Test func unsignedIntegersAreTheSame() {
    check(UInt.self)
    check(UInt8.self)
    check(UInt16.self)
    check(UInt32.self)
    check(UInt64.self)
  }

  @Test func integersOf128BitsAreTheSame() {
    check(Int128.self)
    check(UInt128.self)
  }

  @Test func floatingPointNumbersAreTheSame() {
    check(Double.self)
    check(Float.self)
  }

  @Test func decimalsAreTheSame() {
    check(Decimal.self)
    check(
      Decimal.self, ["1" + String(repeating: "0", count: 110), "0.12345678901234567890123456789"])
  }

  @Test func otherKindsOfValuesAreMismatches() {
    let kinds = ["true", "false", "null", "\"1\"", "\"\"", "[]", "[1]", "{}", "{\"a\":1}"]
    check(Int.self, kinds)
    check(UInt8.self, kinds)
    check(Int128.self, kinds)
    check(Double.self, kinds)
    check(Float.self, kinds)
    check(Decimal.self, kinds)
    check(Bool.self, kinds + ["1", "0", "-"])
    check(String.self, kinds + ["1", "1.", "-"])
  }

  @Test func wordsMustBeComplete() {
    let words = [
      "tru", "truE", "True", "fals", "falsey", "nul", "nulll", "t", "f", "n", "truefalse", "nil",
      "TRUE", "undefined", "true1", "null null",
    ]
    check(Bool.self, words)
    check(JSONValue.self, words)
  }

  @Test func anIntegerOfHundredsOfDigitsDoesNotCrash() {
    // Foundation's decoder traps here, so nothing is compared.
    let text = "1" + String(repeating: "0", count: 200) + "e-184"
    for digits in [text, "[\(text)]", "-\(text)"] { _ = FastDecoding.outcome(Int.self, digits) }
    let quotient = "1" + String(repeating: "0", count: 200) + "e-170"
    _ = FastDecoding.outcome(Int128.self, quotient)
  }

  @Test func aZeroWithAnExponentIsZero() {
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

  @Test func valuesAreWhatTheTextSays() {
    #expect(expectSame(UInt64.self, "18446744073709551615").value == .max)
    #expect(expectSame(Int64.self, "-9223372036854775808").value == .min)
    #expect(expectSame(Int128.self, "\(Int128.min)").value == .min)
    #expect(expectSame(UInt128.self, "\(UInt128.max)").value == .max)
    #expect(expectSame(Int.self, "1e2").value == 100)
    #expect(expectSame(Double.self, "-0").value?.sign == .minus)
  }

  /// Foundation says only that the text is not JSON.
  @Test func numberThatDoesNotFitIsNamedWithItsPath() {
    #expect(expectSame(Int8.self, "128").failure == .unfit("128"))
    #expect(expectSame(Int.self, "1.5").failure == .unfit("1.5"))
    #expect(expectSame(Double.self, "1e400").failure == .unfit("1e400"))
    #expect(
      expectSame([String: [Int8]].self, #"{"a": [1, 128]}"#).failure
        == .unfit("128", at: ["a", "Index 1#1"]))
  }
}
