import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DataURLTests {
  private let base64 = [
    "\"\"", "\"aGk=\"", "\"aGk\"", "\"aGkh\"", "\"aG k=\"", "\"aGk=\\n\"", "\"a\\u0047k=\"",
    "\"aGk==\"", "\"====\"", "\"a\"", "\"ab\"", "\"abc\"", "\"ab==\"", "\"ab=c\"", "\"\u{E4}\"",
    "\"-_-_\"", "\"+/+/\"", "\"+\\/+\\/\"", "1", "null", "[1,2]", "[300]", "[]", "{}", "true",
    "\"\\x\"", "\"aGk= \"", "\" aGk=\"", "\"aGk=aGk=\"",
    "\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"", "[\"a\"]", "\"A===\"", "\"aGl=\"",
  ]

  @Test func `data is the same with every strategy`() {
    expectSameAnywhere(Data.self, in: base64)
    expectSameAnywhere(Data.self, in: base64) { $0.dataDecodingStrategy = .deferredToData }
    expectSameAnywhere(Data.self, in: base64) {
      $0.dataDecodingStrategy = .custom { decoder in
        Data(try decoder.singleValueContainer().decode(String.self).utf8)
      }
    }
    expectSameAnywhere(Data.self, in: base64) {
      $0.dataDecodingStrategy = .custom { Data([UInt8($0.codingPath.count)]) }
    }
    expectSameAnywhere(
      Data.self, in: ["\"\(Data(repeating: 7, count: 5_000).base64EncodedString())\""])
    #expect(expectSame(Data.self, "\"aGk=\"").value == Data("hi".utf8))
  }

  @Test func `urls are the same`() {
    expectSameAnywhere(
      URL.self,
      in: [
        "\"https://a.b/c?d=e#f\"", "\"\"", "\"a b\"", "\"%\"", "\"%zz\"", "\"http://[::1]:80/\"",
        "\"http://[\"", "\"mailto:a@b\"", "\"/path\"", "\"../x\"", "\"https://\u{E4}.de/\u{65E5}\"",
        "\"https:\\/\\/a.b\"", "\"\\u0000\"", "1", "null", "[]", "{}", "\"\\x\"",
        "{\"relative\":\"a\"}", "\"http://a:99999999/\"", "\"?\"", "\"#\"", "\"http://a b/\"",
        "\" \"", "\"a\\nb\"", "\"https://a.b/\\u00e4\"", "\"http://user:pass@h\"", "\"://\"",
      ])
  }
}
