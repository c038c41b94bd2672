import CurlewJSON
import CurlewTesting
import Foundation
import TestSupport
import Testing

/// Inputs that take quadratic time where a decoder is careless.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LinearTimeTests {
  struct Unread: Decodable { init(from decoder: any Decoder) throws {} }

  /// Asks for all keys, and for the value of each by a key type of its own.
  struct EachKey: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      var sum = 0
      for key in container.allKeys {
        sum += try container.decode(Int.self, forKey: AnyKey(stringValue: key.stringValue))
        if container.contains(AnyKey(stringValue: key.stringValue + "x")) { sum += 1 }
      }
      guard sum >= 0 else { throw CancellationError() }
    }
  }

  /// Asks for the keys from the last to the first.
  struct Backwards: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      for key in container.allKeys.reversed() {
        _ = try container.decodeIfPresent(Int.self, forKey: key)
      }
    }
  }

  struct Three: Decodable { let first: Int?, second: Int?, thirdKey: Int? }

  /// 100,000 keys in the long mode, 32,000 otherwise.
  private let keys = Fuzz.size(4_000, full: 12_500)

  @Test func anObjectOfManyKeys() {
    let make = { Growth.object($0) { "\"key\($0)\":\($0)" } }
    Growth.expectLinear("a dictionary", small: keys, make: make) {
      Growth.decodes([String: Int].self, $0)
    }
    Growth.expectLinear("three fields", small: keys, make: make) { Growth.decodes(Three.self, $0) }
    Growth.expectLinear("unread", small: keys, make: make) { Growth.decodes(Unread.self, $0) }
  }

  @Test func allKeysAndALookupOfEach() {
    let make = { Growth.object($0) { "\"key\($0)\":\($0)" } }
    Growth.expectLinear("each key", small: keys, make: make) { Growth.decodes(EachKey.self, $0) }
    Growth.expectLinear("backwards", small: keys, make: make) { Growth.decodes(Backwards.self, $0) }
    Growth.expectLinear(
      "escaped keys", small: keys, make: { Growth.object($0) { "\"\\u006bey\($0)\":\($0)" } }
    ) {
      Growth.decodes(EachKey.self, $0)
    }
    Growth.expectLinear(
      "keys that aren't ASCII", small: keys,
      make: { Growth.object($0) { "\"e\u{301}\($0)\":\($0)" } }
    ) {
      Growth.decodes(EachKey.self, $0)
    }
  }

  @Test func keysThatDifferLittleOrAreLong() {
    let prefix = String(repeating: "a", count: 60)
    let shapes: [(Int) -> String] = [
      { "\"\(prefix)\($0)\":1" }, { "\"\($0)\(prefix)\":1" }, { String(format: "\"%08d\":1", $0) },
      { "\"\(prefix.prefix(8))\($0 % 10)\(prefix)\($0)\(prefix)\":1" },
    ]
    for shape in shapes {
      Growth.expectLinear("similar keys", small: keys / 4, make: { Growth.object($0, shape) }) {
        Growth.decodes(EachKey.self, $0) && Growth.decodes([String: Int].self, $0)
      }
    }
  }

  @Test func snakeCaseOfManyDistinctKeys() {
    let make = { Growth.object($0) { "\"some_key_\($0)\":\($0)" } }
    for type in [EachKey.self, Backwards.self, Three.self, [String: Int].self]
      as [any Decodable.Type]
    {
      Growth.expectLinear("snake case as \(type)", small: keys / 2, make: make) {
        Growth.decodes(type, $0) { $0.keyDecodingStrategy = .convertFromSnakeCase }
      }
    }
  }

  @Test func manyEqualKeys() {
    // 1,000,000 in the end.
    let make = { Growth.object($0) { _ in "\"a\":1" } }
    let (small, large) = (
      125_000 / Fuzz.size(4, full: 1),
      [Three.self, [String: Int].self, EachKey.self] as [any Decodable.Type]
    )
    for type in large {
      Growth.expectLinear("equal keys as \(type)", small: small, make: make) {
        Growth.decodes(type, $0)
      }
    }
    Growth.expectLinear(
      "equal keys after conversion", small: small / 4,
      make: { Growth.object($0) { "\"a\(String(repeating: "_", count: $0 % 7))\":1" } }
    ) {
      Growth.decodes(EachKey.self, $0) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    }
  }

  @Test func manyEmptyArrays() {
    let make = { (count: Int) in
      Data("[\(Array(repeating: "[]", count: count).joined(separator: ","))]".utf8)
    }
    let small = 125_000 / Fuzz.size(4, full: 1)
    Growth.expectLinear("empty arrays", small: small, make: make) {
      Growth.decodes([[Int]].self, $0)
    }
    Growth.expectLinear("empty arrays, unread", small: small, make: make) {
      Growth.decodes(Unread.self, $0)
    }
    Growth.expectLinear(
      "empty objects", small: small,
      make: { Data("[\(Array(repeating: "{}", count: $0).joined(separator: ","))]".utf8) }
    ) {
      Growth.decodes([Three].self, $0)
    }
  }

  @Test func depth() {
    // The depth limit ends it early; neither may the rest of the document take longer.
    for bracket in ["[", "{\"a\":", "[[],", "[{\"a\":"] {
      Growth.expectLinear(
        "depth", small: 12_500, make: { Data(String(repeating: bracket, count: $0).utf8) }
      ) {
        !Growth.decodes(Unread.self, $0)
      }
    }
    Growth.expectLinear(
      "many times 500 levels", small: 20,
      make: { count in
        let nested = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        return Data("[\(Array(repeating: nested, count: count).joined(separator: ","))]".utf8)
      }
    ) { Growth.decodes(Unread.self, $0) }
  }

  @Test func longStringsAndNumbers() {
    // 200 MB in the long mode, 20 MB otherwise.
    let small = Fuzz.size(20_000_000, full: 200_000_000) / 8
    let make = { (count: Int) in
      Data("[\"".utf8) + Data(repeating: 0x61, count: count) + Data("\"]".utf8)
    }
    Growth.expectLinear("a string", small: small, make: make) { Growth.decodes([String].self, $0) }
    Growth.expectLinear("an unread string", small: small, make: make) {
      Growth.decodes(Unread.self, $0)
    }
    Growth.expectLinear(
      "an escaped string", small: small / 20,
      make: { Data("[\"\(String(repeating: "\\n", count: $0))\"]".utf8) }
    ) {
      Growth.decodes([String].self, $0)
    }
    Growth.expectLinear(
      "a string without an end", small: small / 4,
      make: { Data("[\"".utf8) + Data(repeating: 0x61, count: $0) }
    ) {
      !Growth.decodes([String].self, $0)
    }
    Growth.expectLinear(
      "backslashes", small: small / 20,
      make: { Data("[\"".utf8) + Data(repeating: 0x5C, count: $0) }
    ) {
      !Growth.decodes([String].self, $0)
    }
    Growth.expectLinear(
      "white space", small: small / 4, make: { Data(repeating: 0x20, count: $0) + Data("[]".utf8) }
    ) {
      Growth.decodes([Int].self, $0)
    }
    Growth.expectLinear(
      "digits", small: 20_000, make: { Data("[0.\(String(repeating: "7", count: $0))]".utf8) }
    ) {
      Growth.decodes([Double].self, $0)
    }
    Growth.expectLinear(
      "unread digits", small: small / 20,
      make: { Data("[\(String(repeating: "7", count: $0))]".utf8) }
    ) {
      Growth.decodes(Unread.self, $0)
    }
  }

  @Test func failuresAtTheEnd() {
    struct Strict: Decodable { let a: Int }
    Growth.expectLinear(
      "a mismatch in the last element", small: keys,
      make: { count in
        Data(
          "[\(Array(repeating: "{\"a\":1}", count: count).joined(separator: ",")),{\"a\":\"x\"}]"
            .utf8)
      }
    ) { !Growth.decodes([Strict].self, $0) }
    Growth.expectLinear(
      "mismatches that are left out", small: keys / 8,
      make: { count in
        Data("[\(Array(repeating: "{\"a\":\"x\"}", count: count).joined(separator: ","))]".utf8)
      }
    ) { Growth.decodes(RealTypes.Lossy<Holder<Int>>.self, $0) }
    Growth.expectLinear(
      "super decoders", small: keys / 2,
      make: { count in
        Data("[\(Array(repeating: "{\"v\":1}", count: count).joined(separator: ","))]".utf8)
      }
    ) { Growth.decodes(RealTypes.Lossy<Holder<Int>>.self, $0) }
  }

  @Test func manyDecodingsWithOneDecoder() throws {
    // What a decoder keeps between decodings must not grow with them.
    let decoder = FastJSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    func decode(_ count: Int, from start: Int) -> Double {
      let duration = processorTime {
        for index in start..<start + count {
          _ = try? decoder.decode(
            Three.self, from: Data("{\"first\":1,\"third_key\":2,\"other_\(index)\":3}".utf8))
        }
      }
      return duration / .seconds(1)
    }
    var ratio = Double.infinity
    var start = 0
    for _ in 0..<4 where ratio >= 30 {
      let first = min(decode(1_000, from: start), decode(1_000, from: start + 1_000))
      ratio = min(ratio, decode(8_000, from: start + 2_000) / first)
      start += 10_000
    }
    #expect(ratio < 30, "8 times as many decodings took \(ratio) times as long")
  }
}
