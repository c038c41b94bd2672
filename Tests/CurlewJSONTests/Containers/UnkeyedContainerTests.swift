import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct UnkeyedContainerTests {
  private let documents = [
    "[]", "[1]", "[null]", "[true,1,\"x\",1.5,null,[2],{\"a\":3}]", "[null,null,null]",
    "[[1,2],[3]]", "[{\"a\":1},{\"a\":null}]", "{}", "null", "7", "[300,-1,1e400]", "[-,\"\\x\"]",
    "[ 1 , 2 , 3 ]", "[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"]", "[[],{},[],{}]",
  ]

  /// Goes over the elements with one type after another; what fails is tried as the next type.
  enum Retrying: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var elements = try decoder.unkeyedContainer()
      for round in 0..<40 {
        log.add("\(elements.currentIndex) of \(elements.count as Any) \(elements.isAtEnd)")
        log.add(path: elements.codingPath)
        switch round % 16 {
        case 0: log.attempt { try elements.decodeNil() }
        case 1: log.attempt { try elements.decode(Bool.self) }
        case 2: log.attempt { try elements.decode(String.self) }
        case 3: log.attempt { try elements.decode(UInt8.self) }
        case 4: log.attempt { try elements.decode(Int128.self) }
        case 5: log.attempt { try elements.decode(Double.self) }
        case 6: log.attempt { try elements.decode(Float.self) }
        case 7: log.attempt { try elements.decode([Int].self) }
        case 8: log.attempt { try elements.decode([String: Int?].self) }
        case 9: log.attempt { try elements.nestedContainer(keyedBy: AnyKey.self).allKeys }
        case 10: log.attempt { try elements.nestedUnkeyedContainer().count as Any }
        case 11: log.attempt { try elements.superDecoder().codingPath.map(Failure.describe) }
        case 12: log.attempt { try elements.decode(Int?.self) as Any }
        case 13: log.attempt { try elements.decode(Decimal.self) }
        case 14: log.attempt { try elements.decode(URL.self) }
        default: log.attempt { try elements.decode(JSONValue.self) }
        }
      }
    }
  }

  @Test func aFailedElementIsTriedAgainAsAnotherType() {
    for document in documents {
      expectSame(Probe<Retrying>.self, document)
      expectSame(Holder<[Probe<Retrying>]>.self, "{\"v\":[\(document)]}")
    }
  }

  /// `decodeIfPresent` of every kind, past the end too.
  enum IfPresent: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var elements = try decoder.unkeyedContainer()
      for round in 0..<48 {
        log.add("\(elements.currentIndex) \(elements.isAtEnd)")
        switch round % 19 {
        case 0: log.attempt { try elements.decodeIfPresent(Bool.self) as Any }
        case 1: log.attempt { try elements.decodeIfPresent(String.self) as Any }
        case 2: log.attempt { try elements.decodeIfPresent(Int.self) as Any }
        case 3: log.attempt { try elements.decodeIfPresent(Int8.self) as Any }
        case 4: log.attempt { try elements.decodeIfPresent(Int16.self) as Any }
        case 5: log.attempt { try elements.decodeIfPresent(Int32.self) as Any }
        case 6: log.attempt { try elements.decodeIfPresent(Int64.self) as Any }
        case 7: log.attempt { try elements.decodeIfPresent(UInt.self) as Any }
        case 8: log.attempt { try elements.decodeIfPresent(UInt16.self) as Any }
        case 9: log.attempt { try elements.decodeIfPresent(UInt32.self) as Any }
        case 10: log.attempt { try elements.decodeIfPresent(UInt64.self) as Any }
        case 11: log.attempt { try elements.decodeIfPresent(Int128.self) as Any }
        case 12: log.attempt { try elements.decodeIfPresent(UInt128.self) as Any }
        case 13: log.attempt { try elements.decodeIfPresent(Double.self) as Any }
        case 14: log.attempt { try elements.decodeIfPresent(Float.self) as Any }
        case 15: log.attempt { try elements.decodeIfPresent([Int?].self) as Any }
        case 16: log.attempt { try elements.decodeIfPresent(Decimal.self) as Any }
        case 17: log.attempt { try elements.decodeIfPresent(JSONValue.self) as Any }
        default: log.attempt { try elements.decode(Int.self) }
        }
      }
    }
  }

  @Test func decodeIfPresentGoesPastTheEndInTheSameWay() {
    for document in documents { expectSame(Probe<IfPresent>.self, document) }
    expectSame(Probe<IfPresent>.self, "[\((0..<19).map { "\($0)" }.joined(separator: ","))]")
    expectSame(
      Probe<IfPresent>.self, "[true,\"a\",2,3,4,5,6,7,8,9,10,11,12,13,14,[15],16,17,18,19]")
  }

  /// What is asked of a container that is at its end.
  enum AtTheEnd: ProbeSteps {
    static func run(_ decoder: any Decoder, _ log: inout Log) throws {
      var elements = try decoder.unkeyedContainer()
      while !elements.isAtEnd { _ = try elements.decode(JSONValue.self) }
      log.attempt { try elements.decode(Bool.self) }
      log.attempt { try elements.decode(String.self) }
      log.attempt { try elements.decode(Int.self) }
      log.attempt { try elements.decode(UInt128.self) }
      log.attempt { try elements.decode(Double.self) }
      log.attempt { try elements.decode(Float.self) }
      log.attempt { try elements.decode([Int].self) }
      log.attempt { try elements.decode(Int?.self) as Any }
      log.attempt { try elements.decode(Date.self) }
      log.attempt { try elements.decode(Probe<AtTheEnd>.self) }
      log.attempt { try elements.decodeNil() }
      log.attempt { try elements.nestedContainer(keyedBy: AnyKey.self) }
      log.attempt { try elements.nestedUnkeyedContainer() }
      log.attempt { try elements.superDecoder() }
      log.attempt { try elements.decodeIfPresent(Int.self) as Any }
      log.attempt { try elements.decodeIfPresent(Int.self) as Any }
      log.add(elements.currentIndex)
      log.attempt { try elements.decode(Int.self) }
    }
  }

  @Test func theEndIsTheSameError() {
    for document in documents { expectSame(Probe<AtTheEnd>.self, document) }
    for document in documents { expectSame([String: Probe<AtTheEnd>].self, "{\"k\":\(document)}") }
  }

  /// Nested containers read in turns, and after their parent went on.
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

  @Test func nestedContainersKeepTheirOwnPositions() {
    for document in [
      "[[1,2,3],[4,5],6,7]", "[[],[]]", "[[1],null]", "[[1]]", "[[\"a\",2],[3],null]",
    ] {
      expectSame(Probe<Interleaved>.self, document)
    }
  }
}
