import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DataURLDecimalTests {
  private func check<T: Decodable & Equatable>(
    _ type: T.Type, _ texts: [String], configure: (JSONDecoder) -> Void = { _ in }
  ) {
    for text in texts {
      expectSame(type, text, configure: configure)
      expectSame([T].self, "[\(text)]", configure: configure)
      expectSame(Holder<T>.self, "{\"v\":\(text)}", configure: configure)
      expectSame([Maybe<T>].self, "[{\"v\":\(text)}]", configure: configure)
      expectSame([String: T?].self, "{\"k\":\(text)}", configure: configure)
    }
  }

  private let base64 = [
    "\"\"", "\"aGk=\"", "\"aGk\"", "\"aGkh\"", "\"aG k=\"", "\"aGk=\\n\"", "\"a\\u0047k=\"",
    "\"aGk==\"",
    "\"====\"", "\"a\"", "\"ab\"", "\"abc\"", "\"ab==\"", "\"ab=c\"", "\"\u{E4}\"", "\"-_-_\"",
    "\"+/+/\"",
    "\"+\\/+\\/\"", "1", "null", "[1,2]", "[300]", "[]", "{}", "true", "\"\\x\"", "\"aGk= \"",
    "\" aGk=\"",
    "\"aGk=aGk=\"", "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"", "[\"a\"]", "\"A===\"",
    "\"aGl=\"",
  ]

  @Test func dataIsTheSameWithEveryStrategy() {
    check(Data.self, base64)
    check(Data.self, base64) { $0.dataDecodingStrategy = .deferredToData }
    check(Data.self, base64) {
      $0.dataDecodingStrategy = .custom { decoder in
        Data(try decoder.singleValueContainer().decode(String.self).utf8)
      }
    }
    check(Data.self, base64) {
      $0.dataDecodingStrategy = .custom { Data([UInt8($0.codingPath.count)]) }
    }
    check(Data.self, ["\"\(Data(repeating: 7, count: 5_000).base64EncodedString())\""])
    #expect(expectSame(Data.self, "\"aGk=\"").value == Data("hi".utf8))
  }

  @Test func urlsAreTheSame() {
    check(
      URL.self,
      [
        "\"https://a.b/c?d=e#f\"", "\"\"", "\"a b\"", "\"%\"", "\"%zz\"", "\"http://[::1]:80/\"",
        "\"http://[\"",
        "\"mailto:a@b\"", "\"/path\"", "\"../x\"", "\"https://\u{E4}.de/\u{65E5}\"",
        "\"https:\\/\\/a.b\"", "\"\\u0000\"",
        "1", "null", "[]", "{}", "\"\\x\"", "{\"relative\":\"a\"}", "\"http://a:99999999/\"",
        "\"?\"", "\"#\"",
        "\"http://a b/\"", "\" \"", "\"a\\nb\"", "\"https://a.b/\\u00e4\"",
        "\"http://user:pass@h\"", "\"://\"",
      ])
  }

  @Test func decimalsAreTheSame() {
    check(
      Decimal.self,
      [
        "0.1", "0.30000000000000000000000000000000000001",
        "123456789012345678901234567890.12345678", "1e-5",
        "\"1\"", "null", "[]", "{}", "true", "-0.0", "3.14e2",
        "12345678901234567890123456789012345678",
        "123456789012345678901234567890123456789",
        "1234567890123456789012345678901234567890123456789",
        "0.1234567890123456789012345678901234567890123", "1E10", "-1e-10", "99e126",
      ])
    #expect(expectSame(Decimal.self, "0.1").value == Decimal(string: "0.1"))
  }
}
