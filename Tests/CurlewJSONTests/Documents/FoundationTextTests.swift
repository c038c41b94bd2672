import CurlewJSON
import Foundation
import TestSupport
import Testing

/// Texts that Foundation's decoder decodes: JSON5, and objects without braces.
@Suite(.timeLimit(.minutes(1)))
struct FoundationTextTests {
  private func decode<Value: Decodable>(
    _ type: Value.Type, _ text: Data, withoutBraces: Bool = false
  ) -> Value? {
    let decoder = FastJSONDecoder()
    decoder.allowsJSON5 = true
    decoder.assumesTopLevelDictionary = withoutBraces
    return try? decoder.decode(type, from: text)
  }

  private func nested(_ levels: Int, _ inside: String = "") -> Data {
    Data(
      (String(repeating: "[", count: levels) + inside + String(repeating: "]", count: levels)).utf8)
  }

  @Test(
    arguments: [
      "[1, 2,]", "[+1, .2e1]", "// [{\n[1, 2]", "/* [[ ' \" */ [1, /**/ 2] // '", "[0x1, 2.]",
      "[1, 2]/*[*/", "\u{FEFF}[1,\r2]", "[1e0, 20e-1]",
    ])
  func `numbers and comments of JSON5 are read`(text: String) {
    #expect(decode([Double].self, Data(text.utf8)) == [1, 2])
    for encoding in [String.Encoding.utf16LittleEndian, .utf32BigEndian] {
      #expect(
        decode([Double].self, text.data(using: encoding) ?? Data()) == [1, 2], "\(encoding)")
    }
  }

  @Test(arguments: [
    #"{a: '[\'[{'}"#, #"{"a": "[\"[{", }"#, #"{'a': '\x5b\'[{\u007B'}"#, "{a: '[\\\n\\'[{'}",
  ])
  func `brackets in strings are no levels`(text: String) {
    let long = text.replacing("[{", with: String(repeating: "[{", count: 1_000))
    #expect(decode([String: String].self, Data(long.utf8))?["a"]?.count ?? 0 > 2_000)
  }

  @Test func `nesting is limited to 512 levels`() {
    #expect(decode(JSONValue.self, nested(512)) != nil)
    #expect(decode(JSONValue.self, nested(513)) == nil)
    // The object without braces is a level.
    #expect(decode(JSONValue.self, Data("a:".utf8) + nested(511), withoutBraces: true) != nil)
    #expect(decode(JSONValue.self, Data("a:".utf8) + nested(512), withoutBraces: true) == nil)
    #expect(
      decode(JSONValue.self, Data("{a:".utf8) + nested(511) + [0x7D], withoutBraces: true) != nil)
  }

  @Test func `only long numbers with an exponent are refused`() {
    let digits = String(repeating: "1", count: 120)
    #expect(decode(Double.self, Data(digits.utf8)) == Double(digits))
    #expect(decode(Double.self, Data("\(digits.prefix(97))e0".utf8)) != nil)
    #expect(decode(Double.self, Data("\(digits)e0".utf8)) == nil)
  }

  @Test func `hostile texts are errors`() {
    for text in HostileJSON.json5 { #expect(decode(JSONValue.self, text) == nil) }
  }
}
