import Foundation
import Testing

/// `allowsJSON5` and `assumesTopLevelDictionary`.
@Suite(.timeLimit(.minutes(1)))
struct SettingsTests {
  private let documents = [
    "{a:1}", "{'v':1}", "[1,]", "// c\n[1]", "/* c */ {\"v\":0x1F}", "[+1]", "[.5]", "[5.]",
    "[NaN, Infinity, -Infinity]",
    "'a'", "\"a\\\nb\"", "[0xZ]", "[-0x10]", "{v:'\\x41'}", "[1,,]", "{$a_1:1,v:2}", "[\u{A0}1]",
    "{\"v\":1}", "[1]", "",
    "[01]", "{a:1", "/*", "[1}", "'\\v\\0'", "{\u{E4}:1}", "[\"\u{2028}\"]", "[infinity]",
    "{v:nul}", "[0x]", "[1e400]",
  ]

  private func check(_ text: String, _ configure: (JSONDecoder) -> Void) {
    expectSame(JSONValue.self, text, configure: configure)
    expectSame([Int].self, text, configure: configure)
    expectSame([Double].self, text, configure: configure)
    expectSame(Maybe<Int>.self, text, configure: configure)
    expectSame(Maybe<String>.self, text, configure: configure)
    expectSame([String: JSONValue].self, text, configure: configure)
  }

  @Test func json5IsTheSame() {
    for document in documents { check(document) { $0.allowsJSON5 = true } }
    for document in documents { check(document) { $0.allowsJSON5 = false } }
    let outcome = expectSame([Int].self, "[0x1F,/* c */ +2,]") { $0.allowsJSON5 = true }
    #expect(outcome.value == [31, 2])
  }

  @Test func aTopLevelDictionaryWithoutBracesIsTheSame() {
    // White space at the end: Foundation reads beyond a number that ends the document.
    for document in [
      "\"v\":1 ", "\"v\":\"a\"", "\"v\":1,\"w\":[2] ", " ", "", "\"v\"", "\"v\":", "{\"v\":1}",
      " {\"v\":1} ", "[1]", "1 ", "\"v\":1}",
      "\"v\":1, ", "\"a\":1 \"v\":2 ", "\"v\":null", "\"v\":{\"v\":1}", "\"\\x\":1 ",
      "\"v\":1,\n\"v\":2\n", "{\"v\":1", "null", "}",
    ] {
      check(document) { $0.assumesTopLevelDictionary = true }
      check(document) {
        $0.assumesTopLevelDictionary = true
        $0.allowsJSON5 = true
      }
      check(document) {
        $0.assumesTopLevelDictionary = true
        $0.assumesTopLevelDictionary = false
      }
      check(document) {
        $0.assumesTopLevelDictionary = true
        $0.keyDecodingStrategy = .convertFromSnakeCase
      }
    }
  }

  @Test func userInfoShowsTheSettingInTheSameWay() {
    for value in [true, false] {
      expectSame(DecodeWithinDecodeTests.Info.self, "{\"v\":1}") {
        $0.assumesTopLevelDictionary = value
      }
    }
  }

  @Test func settingsMeetEachOther() {
    for document in [
      "{\"a_b\":[\"2026-01-01T00:00:00Z\",null,\"inf\"],\"c_d\":\"aGk=\"}", "{\"a_b\":[\"nan\"]}",
      "{\"a_b\":[1]}", "{\"c_d\":[]}",
    ] {
      expectSame([String: JSONValue].self, document) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
        $0.dateDecodingStrategy = .iso8601
      }
      expectSame(Mixed.self, document) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
        $0.dateDecodingStrategy = .iso8601
        $0.nonConformingFloatDecodingStrategy = .convertFromString(
          positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      }
    }
  }

  struct Mixed: Decodable, Equatable {
    enum Part: Decodable, Equatable {
      case date(Date), number(Double), none
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
          self = .none
        } else if let date = try? container.decode(Date.self) {
          self = .date(date)
        } else {
          self = .number(try container.decode(Double.self))
        }
      }
    }
    let aB: [Part]?
    let cD: Data?
  }
}
