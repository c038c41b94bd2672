import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CollectionTests {
  private let documents = [
    "[]", "[1]", "[1,2,3]", "[1,1,1]", "[null]", "{}", "null", "1", "\"abc\"",
    "[\"a\",\"b\",\"a\"]", "[true]", "[1.5,2]", "[[1]]", "[{}]", "[1,\"a\"]", "[-]", "[\"\\x\"]",
    "[\"\\u0041\"]", "[300]", " [ 1 , 2 ] ", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]",
    "[0,-0,00]", "[1e1,1E1,10]", "[1\n,\r2\t]", "[1 2]", "[1,,2]", "[,1]", "[1,]", "[1,2", "[", "]",
    "[1]]", "[[1],[2,[3]]",
  ]

  @Test func `arrays of scalars are the same`() {
    for document in documents {
      expectSame(
        asEachOf: [
          [Int].self, [UInt8].self, [Int128].self, [Double].self, [Float].self, [String].self,
          [Bool].self, ContiguousArray<Int>.self,
        ], document)
      expectSameAnywhere([Int16].self, in: [document])
      expectSame([[[Int64]]].self, "[[\(document)],[]]")
    }
  }

  @Test func `other collections are the same`() {
    for document in documents {
      expectSame([Set<Double>].self, "[\(document)]")
      expectSame(
        asEachOf: [
          Set<Int>.self, Set<String>.self, Range<Int>.self, ClosedRange<Int>.self,
          CollectionOfOne2.self, IndexSet.self,
        ], document)
    }
    expectSame(IndexSet.self, #"{"indexes":[{"location":1,"length":2}]}"#)
    expectSame(UUID.self, "\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"")
    expectSame(UUID.self, "\"no\"")
    expectSame([UUID?].self, "[null,\"e621e1f8-c36c-495a-93fc-0c247a3e6e5f\",1]")
    expectSame(SIMD3<Float>.self, "[1,2.5,3]")
    expectSame(SIMD3<Float>.self, "[1,2.5]")
    expectSame(Locale.self, #"{"identifier":"de_DE"}"#)
    expectSame(DateInterval.self, #"{"start":0,"duration":10}"#)
    expectSame(DateComponents.self, #"{"year":2026,"month":"x"}"#)
    expectSame(Duration.self, "[0,1000]")
    expectSame(CGPoint.self, "[1.5,2]")
    expectSame(CGRect.self, "[[0,0],[1,2]]")
    expectSame(Data.self, "[1,2,255]") { $0.dataDecodingStrategy = .deferredToData }
  }

  /// Decodes the first element and skips the others.
  struct CollectionOfOne2: Decodable, Equatable {
    let first: JSONValue
    init(from decoder: any Decoder) throws {
      var elements = try decoder.unkeyedContainer()
      first = try elements.decode(JSONValue.self)
    }
  }

  @Test func `long arrays are the same`() {
    for count in [63, 64, 65, 1_000, 5_000] {
      let numbers = (0..<count).map { "\($0 * 7_919)" }.joined(separator: ",")
      expectSame(asEachOf: [[Int].self, [Double].self], "[\(numbers)]")
      expectSame([String].self, (0..<count).map { "\"s\($0)\"" }.array)
      expectSame([Int].self, "[\(numbers),true]")
      expectSame(
        [Holder<Int>].self, (0..<count).map { "{\"v\":\($0)}" }.array)
    }
  }
}
