import Foundation
import Testing

/// Tests `allowsJSON5` and `assumesTopLevelDictionary`.
@Suite(.timeLimit(.minutes(1)))
struct SettingsTests {
  private let documents = [
    "{a:1}", "{'v':1}", "[1,]", "// c\n[1]", "/* c */ {\"v\":0x1F}", "[+1]", "[.5]", "[5.]",
    "[NaN, Infinity, -Infinity]", "'a'", "\"a\\\nb\"", "[0xZ]", "[-0x10]", "{v:'\\x41'}", "[1,,]",
    "{$a_1:1,v:2}", "[\u{A0}1]", "{\"v\":1}", "[1]", "", "[01]", "{a:1", "/*", "[1}", "'\\v\\0'",
    "{\u{E4}:1}", "[\"\u{2028}\"]", "[infinity]", "{v:nul}", "[0x]", "[1e400]",
  ]

  private func check(_ text: String, _ configure: (JSONDecoder) -> Void) {
    expectSame(
      asEachOf: [
        JSONValue.self, [Int].self, [Double].self, Maybe<Int>.self, Maybe<String>.self,
        [String: JSONValue].self,
      ], text, configure: configure)
  }

  @Test func `json5 is the same`() {
    for document in documents { check(document) { $0.allowsJSON5 = true } }
    for document in documents { check(document) { $0.allowsJSON5 = false } }
    let outcome = expectSame([Int].self, "[0x1F,/* c */ +2,]") { $0.allowsJSON5 = true }
    #expect(outcome.value == [31, 2])
  }

  @Test func `a top level dictionary without braces is the same`() {
    // Trailing whitespace, because Foundation reads beyond a number at the end of the document.
    for document in [
      "\"v\":1 ", "\"v\":\"a\"", "\"v\":1,\"w\":[2] ", " ", "", "\"v\"", "\"v\":", "{\"v\":1}",
      " {\"v\":1} ", "[1]", "1 ", "\"v\":1}", "\"v\":1, ", "\"a\":1 \"v\":2 ", "\"v\":null",
      "\"v\":{\"v\":1}", "\"\\x\":1 ", "\"v\":1,\n\"v\":2\n", "{\"v\":1", "null", "}",
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

  @Test func `user info shows the setting in the same way`() {
    for value in [true, false] {
      expectSame(DecodeWithinDecodeTests.Info.self, "{\"v\":1}") {
        $0.assumesTopLevelDictionary = value
      }
    }
  }
}
