import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KeyedContainerTests {
  private let documents = [
    #"{"a":1,"b":"x","c":null,"d":[1],"e":{"f":true},"n":1.5}"#, "{}", "[]", "null", "1", "\"a\"",
    #"{"a":null,"b":null}"#, #"{"b":1,"a":"x"}"#, #"{"a":-,"b":"\x"}"#, #"{"a":300,"n":1e400}"#,
    #"{"e":[{"f":1}],"d":{"0":1}}"#, #"{"e":null,"d":null,"super":{"f":1}}"#,
  ]

  /// All methods that take a key.
  private static let questions: [@Sendable (KeyedDecodingContainer<AnyKey>, AnyKey) throws -> Any] =
    [
      { $0.contains($1) }, { try $0.decodeNil(forKey: $1) },
      { try $0.decode(Bool.self, forKey: $1) }, { try $0.decode(String.self, forKey: $1) },
      { try $0.decode(Int.self, forKey: $1) }, { try $0.decode(UInt8.self, forKey: $1) },
      { try $0.decode(Int128.self, forKey: $1) }, { try $0.decode(Double.self, forKey: $1) },
      { try $0.decode(Float.self, forKey: $1) }, { try $0.decode([Int].self, forKey: $1) },
      { try $0.decode(Int?.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Bool.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(String.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Int16.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(UInt128.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Double.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Float.self, forKey: $1) as Any },
      { try $0.decodeIfPresent([String?].self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Int?.self, forKey: $1) as Any },
      { try $0.decodeIfPresent(Decimal.self, forKey: $1) as Any },
      {
        try $0.nestedContainer(keyedBy: AnyKey.self, forKey: $1).decode(Int.self, forKey: "f")
      },
      {
        var elements = try $0.nestedUnkeyedContainer(forKey: $1)
        return (elements.count as Any, try elements.decode(Int.self), elements.isAtEnd)
      },
    ]

  /// Calls every method with every key, present or not.
  enum EveryQuestion: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      log.add(container.allKeys.map(\.stringValue).sorted())
      for key in ["a", "b", "c", "d", "e", "missing", "n"] as [AnyKey] {
        for question in questions { log.attempt { try question(container, key) } }
      }
    }
  }

  @Test func `every question gets the same response`() {
    for document in documents {
      expectSame(Probe<EveryQuestion>.self, document)
      expectSame([Probe<EveryQuestion>].self, "[\(document)]")
      expectSame(Holder<Probe<EveryQuestion>>.self, "{\"v\":\(document)}")
    }
  }

  /// The same calls on one decoder, with key types that have only some of the names.
  enum SeveralKeyTypes: ProbeSteps {
    enum First: String, CodingKey { case a, b }
    enum Second: String, CodingKey { case b = "c", a = "b", none }
    enum Numbers: Int, CodingKey { case one = 1, two, ten = 10 }
    enum Single: CodingKey { case a }
    enum Empty: CodingKey {}

    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let first = try decoder.container(keyedBy: First.self)
      let second = try decoder.container(keyedBy: Second.self)
      let numbers = try decoder.container(keyedBy: Numbers.self)
      let single = try decoder.container(keyedBy: Single.self)
      let empty = try decoder.container(keyedBy: Empty.self)
      log.add(Set(first.allKeys).map(\.rawValue).sorted())
      log.add(Set(second.allKeys).map(\.rawValue).sorted())
      log.add(Set(numbers.allKeys).map(\.rawValue).sorted())
      log.add((single.allKeys, empty.allKeys.count))
      for _ in 0..<3 {
        log.attempt { try second.decode(Int.self, forKey: .a) }
        log.attempt { try first.decode(Int.self, forKey: .a) }
        log.attempt { try second.decode(Int.self, forKey: .none) }
        log.attempt { try numbers.decodeIfPresent(Int.self, forKey: .ten) as Any }
        log.attempt { try numbers.decode(Int.self, forKey: .two) }
        log.attempt { try single.decode(Int.self, forKey: .a) }
        log.attempt { try first.decode(Int.self, forKey: .b) }
        log.attempt { try second.decode(Int.self, forKey: .b) }
      }
    }
  }

  @Test func `several key types on one decoder do not mix`() {
    for document in [
      #"{"a":1,"b":2,"c":3,"1":4,"2":5,"10":6}"#, #"{"10":1,"2":2,"c":3,"b":4,"a":5}"#, "{}",
      #"{"one":1,"two":2,"ten":3,"none":4}"#, #"{"c":"x","b":null}"#,
    ] {
      expectSame([Probe<SeveralKeyTypes>].self, "[\(document),\(document)]")
    }
  }

  struct Declared: Decodable, Equatable {
    let first: Int, second: String, third: Double?, fourth: [Int], fifth: Bool
  }

  @Test func `every order of the fields is the same`() {
    let fields = [
      "\"first\":1", "\"second\":\"2\"", "\"third\":3.5", "\"fourth\":[4]", "\"fifth\":true",
      "\"unknown\":{\"first\":[[]]}",
    ]
    for order in fields.permutations { expectSame(Declared.self, order.object) }
    for index in fields.indices {
      var some = fields
      some.remove(at: index)
      expectSame(Declared.self, some.object)
      expectSame([Declared].self, "[\(fields.object),\(some.object)]")
    }
  }

  @Test func `a missing key is named`() {
    let failure = expectSameFailure([Declared].self, #"[{"first":1}]"#)
    #expect(failure?.kind == .noKey)
    #expect(failure?.path == ["Index 0#0"])
    expectSameFailure(Holder<Holder<Int>>.self, #"{"v":{"w":1}}"#)
    for document in [#"{"V":1}"#, #"{"v ":1}"#, #"{"":1,"vv":2,"v\u0000":3}"#] {
      expectSameFailure(Holder<Int>.self, document)
    }
  }
}
