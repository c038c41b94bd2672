import CurlewJSON
import Foundation
import TestSupport
import Testing

/// Tests inputs that take quadratic time in a careless decoder.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LinearTimeTests {
  /// Requests all keys, and the value of each with a separate key type.
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

  /// Requests the keys in reverse order.
  struct Backwards: Decodable {
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      for key in container.allKeys.reversed() {
        _ = try container.decodeIfPresent(Int.self, forKey: key)
      }
    }
  }

  struct Three: Decodable { let first: Int?, second: Int?, thirdKey: Int? }

  /// 100,000 keys at most in the long mode, otherwise 32,000.
  private let keys = Fuzz.size(4_000, full: 12_500)

  private func object(_ count: Int, _ member: (Int) -> String) -> String {
    (0..<count).map(member).object
  }

  private func array(_ count: Int, _ element: String, last: String...) -> String {
    (Array(repeating: element, count: count) + last).array
  }

  @Test func `an object of many keys`() {
    Growth.expectLinear(
      keys,
      as: [[String: Int].self, Three.self, Unread.self, EachKey.self, Backwards.self]
    ) {
      object($0) { "\"key\($0)\":\($0)" }
    }
  }

  @Test(arguments: ["\\u006bey", "e\u{301}"]) func `keys that are not plain`(start: String) {
    Growth.expectLinear(keys, as: [EachKey.self]) { object($0) { "\"\(start)\($0)\":\($0)" } }
  }

  @Test func `keys that differ little or are long`() {
    let prefix = "a".repeated(60)
    let shapes: [(Int) -> String] = [
      { "\"\(prefix)\($0)\":1" }, { "\"\($0)\(prefix)\":1" }, { String(format: "\"%08d\":1", $0) },
      { "\"\(prefix.prefix(8))\($0 % 10)\(prefix)\($0)\(prefix)\":1" },
    ]
    for shape in shapes {
      Growth.expectLinear(keys / 4, as: [EachKey.self, [String: Int].self]) { object($0, shape) }
    }
  }

  @Test func `snake case of many distinct keys`() {
    Growth.expectLinear(
      keys / 2, as: [EachKey.self, Backwards.self, Three.self, [String: Int].self],
      configure: snakeCase
    ) {
      object($0) { "\"some_key_\($0)\":\($0)" }
    }
  }

  /// 1,000,000 elements at most in the long mode, otherwise 250,000.
  private let many = 125_000 / Fuzz.size(4, full: 1)

  @Test func `many equal keys`() {
    Growth.expectLinear(many, as: [Three.self, [String: Int].self, EachKey.self]) {
      object($0) { _ in "\"a\":1" }
    }
    Growth.expectLinear(many / 4, as: [EachKey.self], configure: snakeCase) {
      object($0) { "\"a\("_".repeated($0 % 7))\":1" }
    }
  }

  @Test func `many empty arrays and objects`() {
    Growth.expectLinear(many, as: [[[Int]].self, Unread.self]) { array($0, "[]") }
    Growth.expectLinear(many, as: [[Three].self]) { array($0, "{}") }
  }

  @Test func `depth`() {
    // The depth limit ends decoding early, and the rest of the document must not take longer.
    for bracket in ["[", "{\"a\":", "[[],", "[{\"a\":"] {
      Growth.expectLinear(12_500, decodes: false) { bracket.repeated($0) }
    }
    Growth.expectLinear(20) { array($0, "[".repeated(500) + "]".repeated(500)) }
  }

  /// 200 MB at most in the long mode, otherwise 20 MB.
  private let long = Fuzz.size(20_000_000, full: 200_000_000) / 8

  @Test func `long strings`() {
    Growth.expectLinear(long, as: [[String].self, Unread.self]) {
      "[\"\("a".repeated($0))\"]"
    }
    Growth.expectLinear(long / 20, as: [[String].self]) { "[\"\("\\n".repeated($0))\"]" }
    // Unterminated.
    Growth.expectLinear(long / 4, as: [[String].self], decodes: false) {
      "[\"\("a".repeated($0))"
    }
    Growth.expectLinear(long / 20, as: [[String].self], decodes: false) {
      "[\"\("\\".repeated($0))"
    }
  }

  @Test func `long numbers and white space`() {
    Growth.expectLinear(long / 4, as: [[Int].self]) { " ".repeated($0) + "[]" }
    Growth.expectLinear(20_000, as: [[Double].self]) { "[0.\("7".repeated($0))]" }
    Growth.expectLinear(long / 20) { "[\("7".repeated($0))]" }
  }

  @Test func `failures at the end`() {
    struct Strict: Decodable { let a: Int }
    Growth.expectLinear(keys, as: [[Strict].self], decodes: false) {
      array($0, "{\"a\":1}", last: "{\"a\":\"x\"}")
    }
    // Skipped mismatches, and super decoders.
    for value in ["\"x\"", "1"] {
      Growth.expectLinear(keys / 4, as: [RealTypes.Lossy<Holder<Int>>.self]) {
        array($0, "{\"v\":\(value)}")
      }
    }
  }

  @Test func `many decodings with one decoder`() throws {
    // A decoder's caches must not grow with the number of decodings.
    let decoder = FastJSONDecoder()
    snakeCase(decoder)
    var start = 0
    func decode(_ count: Int) -> Double {
      let duration = processorTime {
        for index in start..<start + count {
          _ = try? decoder.decode(
            Three.self, from: Data("{\"first\":1,\"third_key\":2,\"other_\(index)\":3}".utf8))
        }
      }
      start += count
      return duration / .seconds(1)
    }
    Growth.expectLinear("decodings") {
      let first = min(decode(1_000), decode(1_000))
      return decode(8_000) / first
    }
  }
}
