import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UnkeyedContainerTests {
  private let documents = [
    "[]", "[1]", "[null]", "[true,1,\"x\",1.5,null,[2],{\"a\":3}]", "[null,null,null]",
    "[[1,2],[3]]", "[{\"a\":1},{\"a\":null}]", "{}", "null", "7", "[300,-1,1e400]", "[-,\"\\x\"]",
    "[ 1 , 2 , 3 ]", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"]", "[[],{},[],{}]",
  ]

  private typealias Question = @Sendable (inout any UnkeyedDecodingContainer) throws -> Any

  /// All methods that decode an element.
  private static let questions: [Question] = [
    { try $0.decodeNil() }, { try $0.decode(Bool.self) }, { try $0.decode(String.self) },
    { try $0.decode(UInt8.self) }, { try $0.decode(Int128.self) }, { try $0.decode(Double.self) },
    { try $0.decode(Float.self) }, { try $0.decode([Int].self) },
    { try $0.decode([String: Int?].self) },
    { try $0.nestedContainer(keyedBy: AnyKey.self).allKeys },
    { try $0.nestedUnkeyedContainer().count as Any },
    { try $0.superDecoder().codingPath.map(Failure.describe) },
    { try $0.decode(Int?.self) as Any }, { try $0.decode(Decimal.self) },
    { try $0.decode(URL.self) }, { try $0.decode(Date.self) }, { try $0.decode(UInt128.self) },
    { try $0.decode(Int.self) }, { try $0.decode(JSONValue.self) },
  ]

  /// The `IfPresent` methods.
  private static let questionsIfPresent: [Question] = [
    { try $0.decodeIfPresent(Bool.self) as Any }, { try $0.decodeIfPresent(String.self) as Any },
    { try $0.decodeIfPresent(Int.self) as Any }, { try $0.decodeIfPresent(Int8.self) as Any },
    { try $0.decodeIfPresent(Int16.self) as Any }, { try $0.decodeIfPresent(Int32.self) as Any },
    { try $0.decodeIfPresent(Int64.self) as Any }, { try $0.decodeIfPresent(UInt.self) as Any },
    { try $0.decodeIfPresent(UInt16.self) as Any }, { try $0.decodeIfPresent(UInt32.self) as Any },
    { try $0.decodeIfPresent(UInt64.self) as Any }, { try $0.decodeIfPresent(Int128.self) as Any },
    { try $0.decodeIfPresent(UInt128.self) as Any }, { try $0.decodeIfPresent(Double.self) as Any },
    { try $0.decodeIfPresent(Float.self) as Any }, { try $0.decodeIfPresent([Int?].self) as Any },
    { try $0.decodeIfPresent(Decimal.self) as Any },
    { try $0.decodeIfPresent(JSONValue.self) as Any }, { try $0.decode(Int.self) },
  ]

  private static func ask(
    _ questions: [Question], rounds: Int,
    _ decoder: any Decoder, _ log: inout Log
  ) throws {
    var elements = try decoder.unkeyedContainer()
    for round in 0..<rounds {
      log.add("\(elements.currentIndex) of \(elements.count as Any) \(elements.isAtEnd)")
      log.add(path: elements.codingPath)
      log.attempt { try questions[round % questions.count](&elements) }
    }
  }

  /// Decodes the elements with different types in turn; after a failure, the next type is tried.
  enum Retrying: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      try ask(questions, rounds: 40, decoder, &log)
    }
  }

  @Test func `a failed element is tried again as another type`() {
    for document in documents {
      expectSame(Probe<Retrying>.self, document)
      expectSame(Holder<[Probe<Retrying>]>.self, "{\"v\":[\(document)]}")
    }
  }

  enum IfPresent: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      try ask(questionsIfPresent, rounds: 48, decoder, &log)
    }
  }

  @Test func `decode if present goes past the end in the same way`() {
    for document in documents { expectSame(Probe<IfPresent>.self, document) }
    expectSame(Probe<IfPresent>.self, (0..<19).map { "\($0)" }.array)
    expectSame(
      Probe<IfPresent>.self, "[true,\"a\",2,3,4,5,6,7,8,9,10,11,12,13,14,[15],16,17,18,19]")
  }

  /// Calls methods of a container at its end.
  enum AtTheEnd: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var elements = try decoder.unkeyedContainer()
      while !elements.isAtEnd { _ = try elements.decode(JSONValue.self) }
      for question in questions + questionsIfPresent { log.attempt { try question(&elements) } }
      log.add(elements.currentIndex)
    }
  }

  @Test func `the end is the same error`() {
    for document in documents {
      expectSame(Probe<AtTheEnd>.self, document)
      expectSame([String: Probe<AtTheEnd>].self, "{\"k\":\(document)}")
    }
  }

  /// Reads nested containers alternately, and after their parent has advanced.
  enum Interleaved: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var outer = try decoder.unkeyedContainer()
      var first = try outer.nestedUnkeyedContainer()
      var second = try outer.nestedUnkeyedContainer()
      var copy = first
      for _ in 0..<3 {
        log.attempt { try first.decode(Int.self) }
        log.attempt { try second.decode(Int.self) }
        log.attempt { try outer.decode(Int.self) }
        log.add(path: second.codingPath)
      }
      log.attempt { try copy.decode(Int.self) }
      log.add((first.currentIndex, second.currentIndex, copy.currentIndex, outer.currentIndex))
      var again = try decoder.unkeyedContainer()
      log.attempt { try again.decode([Int].self) }
    }
  }

  @Test func `nested containers keep their own positions`() {
    for document in [
      "[[1,2,3],[4,5],6,7]", "[[],[]]", "[[1],null]", "[[1]]", "[[\"a\",2],[3],null]",
    ] {
      expectSame(Probe<Interleaved>.self, document)
    }
  }
}
