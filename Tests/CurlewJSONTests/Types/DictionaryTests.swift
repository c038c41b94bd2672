import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DictionaryTests {
  enum Suit: String, Decodable, CodingKeyRepresentable { case hearts, spades = "Spades" }
  enum Grade: Int, Decodable, CodingKeyRepresentable { case one = 1, two }
  enum Plain: String, Decodable { case a, b }

  struct ID: Hashable, Decodable, CodingKeyRepresentable {
    let raw: String
    var codingKey: any CodingKey { AnyKey(stringValue: raw) }
    init?(codingKey: some CodingKey) {
      guard codingKey.stringValue.hasPrefix("id-") else { return nil }
      raw = codingKey.stringValue
    }
  }

  private let documents = [
    "{}", "[]", "null", "1", #"{"a":1}"#, #"{"hearts":1,"Spades":2}"#, #"{"1":1,"2":2}"#,
    #"{"3":1}"#, #"{"id-1":1,"id-2":2}"#, #"["hearts",1,"Spades",2]"#, #"["a",1,"b"]"#,
    #"["a",1,"b",2]"#, #"[1,2,3,4]"#, #"["1",1]"#, #"{"x":1}"#, #"{"1":"one"}"#, #"{"a":null}"#,
    #"{"hearts":1.5}"#, #"{"-1":1,"+2":2}"#, #"{"0012":1}"#, #"{"9223372036854775807":1}"#,
    #"{"9223372036854775808":1}"#, #"{"":1}"#, #"{"1 ":1}"#, #"{"\u0031":1}"#, #"{"a":1,"a":2}"#,
    #"{"a":1,"a":"x"}"#, #"["a",-]"#, #"{"a\n":1}"#, #"{"\x":1}"#, #"{"\u0061":1,"a":2,"b":3}"#,
  ]

  private func check<Key: Hashable & Decodable>(_ type: Key.Type) {
    for document in documents {
      expectSame(asEachOf: [[Key: Int].self, [Key: Int?].self], document)
      expectSame([[Key: Double]].self, "[\(document)]")
      expectSame(Holder<[Key: Int8]>.self, "{\"v\":\(document)}")
      expectSame(Maybe<[Key: [Key: Int]]>.self, "{\"v\":{\"1\":\(document)}}")
    }
  }

  @Test func `keyed by strings are the same`() { check(String.self) }
  @Test func `keyed by integers are the same`() {
    check(Int.self)
    check(UInt8.self)
  }
  @Test func `keyed by enums are the same`() {
    check(Plain.self)
    check(Suit.self)
    check(Grade.self)
  }
  @Test func `keyed by custom keys are the same`() { check(ID.self) }

  @Test func `values of all kinds are the same`() {
    let document = #"{"a":[1,null],"b":[],"c":[null]}"#
    expectSame([String: [Int?]].self, document)
    expectSame([[String: [Int?]]].self, "[\(document),{},\(document)]")
    expectSame([String: [String: [String: Int]]].self, #"{"a":{"b":{"c":1},"d":{}},"e":{}}"#)
    expectSame([String: JSONValue].self, #"{"a":[{}],"b":{"c":null}}"#)
    expectSame([String: Holder<[Int]>].self, #"{"a":{"v":[1]},"b":{"v":[]}}"#)
    expectSame([String: [Int: Int]].self, #"{"a":{"1":1}}"#)
  }

  @Test func `the first of equal keys wins`() {
    #expect(expectSame([String: Int].self, #"{"a":1,"b":2,"a":3}"#).value == ["a": 1, "b": 2])
    #expect(expectSame([String: Int].self, #"{"a":1,"a":"not read"}"#).value == ["a": 1])
    expectSame([String: Int].self, "{\"e\u{301}\":1,\"\u{E9}\":2}")
    expectSame([String: Int].self, "{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}")
    expectSame([String: Int?].self, #"{"a":null,"a":1}"#)
    for strategy in [.convertFromSnakeCase, .custom { $0.last ?? AnyKey(stringValue: "") }]
      as [JSONDecoder.KeyDecodingStrategy]
    {
      // With these strategies, all values of a dictionary are decoded, even values of repeated keys.
      for document in [#"{"a":1,"a":"read"}"#, #"{"a_b":1,"aB":2,"a_b":3}"#] {
        expectSame([String: Int].self, document) { $0.keyDecodingStrategy = strategy }
      }
    }
  }
}
