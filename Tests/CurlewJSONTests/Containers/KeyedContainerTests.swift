import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct KeyedContainerTests {
  private let documents = [
    #"{"a":1,"b":"x","c":null,"d":[1],"e":{"f":true},"n":1.5}"#, "{}", "[]", "null", "1", "\"a\"",
    #"{"a":null,"b":null}"#, #"{"b":1,"a":"x"}"#, #"{"a":-,"b":"\x"}"#, #"{"a":300,"n":1e400}"#,
    #"{"e":[{"f":1}],"d":{"0":1}}"#, #"{"e":null,"d":null,"super":{"f":1}}"#,
  ]

  /// Every way to ask for every key, whatever is there.
  enum EveryQuestion: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      log.add(container.allKeys.map(\.stringValue).sorted())
      for key in ["a", "b", "c", "d", "e", "missing", "n"] as [AnyKey] {
        log.add("\(key.stringValue) \(container.contains(key))")
        log.attempt { try container.decodeNil(forKey: key) }
        log.attempt { try container.decode(Bool.self, forKey: key) }
        log.attempt { try container.decode(String.self, forKey: key) }
        log.attempt { try container.decode(Int.self, forKey: key) }
        log.attempt { try container.decode(UInt8.self, forKey: key) }
        log.attempt { try container.decode(Int128.self, forKey: key) }
        log.attempt { try container.decode(Double.self, forKey: key) }
        log.attempt { try container.decode(Float.self, forKey: key) }
        log.attempt { try container.decode([Int].self, forKey: key) }
        log.attempt { try container.decode(Int?.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Bool.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(String.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Int16.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(UInt128.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Double.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Float.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent([String?].self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Int?.self, forKey: key) as Any }
        log.attempt { try container.decodeIfPresent(Decimal.self, forKey: key) as Any }
        log.attempt {
          try container.nestedContainer(keyedBy: AnyKey.self, forKey: key).decode(
            Int.self, forKey: "f")
        }
        log.attempt {
          var elements = try container.nestedUnkeyedContainer(forKey: key)
          return (elements.count as Any, try elements.decode(Int.self), elements.isAtEnd)
        }
      }
    }
  }

  @Test func everyQuestionGetsTheSameResponse() {
    for document in documents { expectSame(Probe<EveryQuestion>.self, document) }
    for document in documents { expectSame([Probe<EveryQuestion>].self, "[\(document)]") }
    for document in documents {
      expectSame(Holder<Probe<EveryQuestion>>.self, "{\"v\":\(document)}")
    }
  }

  /// The same questions with key types that hold only some of the names, on one decoder.
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

  @Test func severalKeyTypesOnOneDecoderDoNotMix() {
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

  @Test func everyOrderOfTheFieldsIsTheSame() {
    let fields = [
      "\"first\":1", "\"second\":\"2\"", "\"third\":3.5", "\"fourth\":[4]", "\"fifth\":true",
      "\"unknown\":{\"first\":[[]]}",
    ]
    func permute(_ head: [String], _ rest: [String]) {
      guard !rest.isEmpty else {
        expectSame(Declared.self, "{\(head.joined(separator: ","))}")
        return
      }
      for index in rest.indices {
        var others = rest
        let next = others.remove(at: index)
        permute(head + [next], others)
      }
    }
    permute([], fields)
    for index in fields.indices {
      var some = fields
      some.remove(at: index)
      expectSame(Declared.self, "{\(some.joined(separator: ","))}")
      expectSame(
        [Declared].self, "[{\(fields.joined(separator: ","))},{\(some.joined(separator: ","))}]")
    }
  }

  @Test func aMissingKeyIsNamed() {
    let failure = expectSameFailure([Declared].self, #"[{"first":1}]"#)
    #expect(failure?.kind == .noKey)
    #expect(failure?.path == ["Index 0#0"])
    expectSameFailure(Holder<Holder<Int>>.self, #"{"v":{"w":1}}"#)
    expectSameFailure(Holder<Int>.self, #"{"V":1}"#)
    expectSameFailure(Holder<Int>.self, #"{"v ":1}"#)
    expectSameFailure(Holder<Int>.self, #"{"":1,"vv":2,"v\u0000":3}"#)
  }
}
