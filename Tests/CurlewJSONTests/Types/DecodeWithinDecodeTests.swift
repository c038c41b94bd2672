import CurlewJSON
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DecodeWithinDecodeTests {
  /// JSON in a JSON string, decoded by the decoder in user info.
  struct Envelope: Decodable, Equatable {
    static let key = CodingUserInfoKey(rawValue: "decoder")!
    let name: String
    let inner: [Int]
    let after: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      name = try container.decode(String.self, forKey: "name")
      let text = try container.decode(String.self, forKey: "inner")
      let other = decoder.userInfo[Self.key] as? JSONDecoder ?? JSONDecoder()
      inner =
        text.hasPrefix("{")
        ? try other.decode(Envelope.self, from: Data(text.utf8)).inner
        : try other.decode([Int].self, from: Data(text.utf8))
      after = try container.decode(Int.self, forKey: "after")
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  @Test func `another decode in between changes nothing`() {
    for list in ["[1,2]", "[]", "[\"x\"]", "[1,", "[-]"] {
      var document = #"{"name":"a","inner":\#(quoted(list)),"after":1}"#
      for depth in 0..<4 {
        let again = document
        expectSame([Envelope].self, "[\(again),\(again)]") { $0.userInfo[Envelope.key] = $0 }
        document = #"{"after":\#(depth),"inner":\#(quoted(again)),"name":"b"}"#
      }
    }
  }

  struct Info: Decodable, Equatable {
    let seen: [String]
    init(from decoder: any Decoder) throws {
      seen = decoder.userInfo.map { "\($0.rawValue)=\($1)" }.sorted()
    }
  }

  @Test func `user info is passed on`() {
    let (first, second) = (CodingUserInfoKey(rawValue: "a")!, CodingUserInfoKey(rawValue: "b")!)
    for document in ["[1]", "[]", "{\"v\":null}", "null", "{\"v\":{\"v\":1}}"] {
      for count in 0...2 {
        expectSame(JSONValue.self, document)
        expectSame(Info.self, document) {
          if count > 0 { $0.userInfo[first] = "one" }
          if count > 1 { $0.userInfo[second] = 2 }
        }
        expectSame([Info].self, "[\(document)]") { $0.userInfo = [first: [1, 2]] }
      }
    }
  }

  struct Configured: DecodableWithConfiguration, Equatable {
    let text: String
    init(from decoder: any Decoder, configuration: String) throws {
      text = configuration + (try decoder.singleValueContainer().decode(String.self))
    }
  }

  @Test func `configurations are passed on`() throws {
    for document in ["\"b\"", "1", "null", "\"\\x\"", "[", "\"\u{E4}\""] {
      let data = Data(document.utf8)
      let expected = Outcome {
        try JSONDecoder().decode(Configured.self, from: data, configuration: "a")
      }
      let outcome = Outcome {
        try FastJSONDecoder().decode(Configured.self, from: data, configuration: "a")
      }
      #expect(agree(expected, outcome, data), "\(document): \(expected), \(outcome)")
    }
  }

  @Test func `a decoder that failed decodes on`() throws {
    let decoder = FastJSONDecoder()
    for count in 0..<50 {
      for broken in ["[1,", "[1,\"x\"]", "[-]", "", "{\"a\":1}", "[[[[", "[1]]"] {
        #expect(throws: DecodingError.self) {
          try decoder.decode([Int].self, from: Data(broken.utf8))
        }
      }
      #expect(try decoder.decode([Int].self, from: Data("[\(count)]".utf8)) == [count])
    }
  }

  @Test func `settings may change between decodes`() throws {
    struct Snake: Decodable, Equatable { let aB: Int? }
    let decoder = FastJSONDecoder()
    let data = Data("{\"a_b\":1,\"aB\":2}".utf8)
    for _ in 0..<3 {
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      #expect(try decoder.decode(Snake.self, from: data).aB == 1)
      decoder.keyDecodingStrategy = .useDefaultKeys
      #expect(try decoder.decode(Snake.self, from: data).aB == 2)
      decoder.keyDecodingStrategy = .custom { _ in AnyKey(stringValue: "x") }
      #expect(try decoder.decode(Snake.self, from: data).aB == nil)
      decoder.dateDecodingStrategy = .secondsSince1970
      #expect(try decoder.decode(Date.self, from: Data("1".utf8)).timeIntervalSince1970 == 1)
      decoder.dateDecodingStrategy = .deferredToDate
      #expect(
        try decoder.decode(Date.self, from: Data("1".utf8)).timeIntervalSinceReferenceDate == 1)
    }
  }
}
