import Testing

/// Keys are compared like Swift strings: by canonical equivalence.
@Suite(.timeLimit(.minutes(1)))
struct KeyEqualityTests {
  struct Accents: Decodable, Equatable {
    enum CodingKeys: String, CodingKey {
      case nfc = "\u{E9}", kelvin = "K", omega = "\u{3A9}", plain = "e"
    }
    let nfc: Int?, kelvin: Int?, omega: Int?, plain: Int?
  }

  struct Decomposed: Decodable, Equatable {
    enum CodingKeys: String, CodingKey {
      case nfd = "e\u{301}", sign = "\u{212A}", ohm = "\u{2126}"
    }
    let nfd: Int?, sign: Int?, ohm: Int?
  }

  private let names = [
    "\u{E9}", "e\u{301}", "e", "K", "\u{212A}", "k", "\u{3A9}", "\u{2126}", "\u{3C9}", "\\u00e9",
    "e\\u0301", "\\u212a", "\\u004b", "E\u{301}", "\u{E9}\u{301}", "", "\\u0000",
  ]

  @Test func `composed and decomposed keys are equal`() {
    for first in names {
      expectSame(
        asEachOf: [Accents.self, Decomposed.self, [String: Int].self], "{\"\(first)\":1}")
      for second in names {
        let document = "{\"\(first)\":1,\"\(second)\":2}"
        expectSame(asEachOf: [Accents.self, Decomposed.self, [String: Int].self], document)
        expectSame([Accents].self, "[\(document),\(document)]")
      }
    }
    #expect(expectSame(Accents.self, "{\"\u{212A}\":1,\"e\u{301}\":2}").value?.kelvin == 1)
  }

  struct Three: Decodable, Equatable { let a: Int, b: Int, c: Int }

  @Test func `the first of duplicates wins`() {
    let fields = ["\"a\":1", "\"b\":2", "\"c\":3", "\"a\":4", "\"c\":5", "\"\\u0062\":6"]
    for order in fields.permutations { expectSame(Three.self, order.object) }
    expectSame(Three.self, #"{"a":1,"b":2,"c":3,"a":"not read"}"#)
    expectSame(Three.self, #"{"a":1,"b":2,"c":3,"a":-}"#)
    expectSame(Three.self, #"{"a":"x","b":2,"c":3,"a":1}"#)
    expectSame(Three.self, #"{"a":null,"a":1,"b":2,"c":3}"#)
    #expect(
      expectSame(Three.self, #"{"c":1,"c":2,"b":3,"b":4,"a":5,"a":6}"#).value
        == Three(a: 5, b: 3, c: 1))
  }

  @Test func `keys of all lengths are told`() {
    for length in Array(0...66) + Array(250...260) + [1_000, 70_000] {
      let key = String("abcdefghijklmnopqrstuvwxyz".repeated(length / 26 + 1).prefix(length))
      let near = [
        key + "x", String(key.dropLast()), "x" + key.dropFirst(), key.dropLast() + "X", key,
      ]
      for other in near {
        expectSame(Probe<Lookup>.self, "{\"\(other)\":1,\"length\":\(length)}")
      }
      expectSame(
        Probe<Lookup>.self,
        "{\"length\":\(length),\(near.map { "\"\($0)\":2" }.joined(separator: ","))}")
    }
  }

  /// Looks up a key of the length given in the document.
  enum Lookup: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      let length = try container.decode(Int.self, forKey: "length")
      let name = "abcdefghijklmnopqrstuvwxyz".repeated(length / 26 + 1).prefix(length)
      let key = AnyKey(stringValue: String(name))
      log.add(container.contains(key))
      log.attempt { try container.decode(Int.self, forKey: key) }
      log.attempt { try container.decodeIfPresent(Int.self, forKey: key) as Any }
    }
  }

  /// Declared keys of 254, 255 and 256 bytes.
  struct Long: Decodable, Equatable {
    enum CodingKeys: Int, CodingKey, CaseIterable {
      case shorter = 254, middle, longer
      var stringValue: String { String(repeating: "k", count: rawValue) }
    }
    let values: [Int?]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      values = try CodingKeys.allCases.map { try container.decodeIfPresent(Int.self, forKey: $0) }
    }
  }

  @Test func `declared keys of255 bytes are the same`() {
    for lengths in [
      [254], [255], [256], [253], [254, 255, 256], [256, 255, 254], [257, 255], [255, 255, 254],
    ] {
      let object = lengths.enumerated().map { "\"\("k".repeated($1))\":\($0)" }.object
      expectSame([Long].self, "[\(object),\(object)]")
      expectSame([Long].self, "[\(object)]", configure: snakeCase)
      expectSame([String: Int].self, object)
    }
  }
}
