import Foundation
import RawStructuredFieldValues
import TestSupport
import Testing

@testable import Curlew

/// Structured fields, compared with swift-http-structured-headers.
@Suite(.timeLimit(.minutes(1)))
struct StructuredFieldTests {
  private static let samples = [
    #""default";r=50;t=30"#, #""a;r=0,b";r=50"#, #""a\"b\\";r=1.5;x, tok/en*:;r=2"#,
    "limit=100, remaining=50;w=60, reset=30", "a, b;c=?0;d=?1, c=:aGk=:;r=-0.125",
    #"("a" b;x=1  2);r=3, ();r"#, "a=(1 2), b=@12;c=@-5", #"a;b=%"gr%c3%bcn", x"#, "1;r=1;r=2",
    "123456789012345, 123456789012.123, -1", "*a=1, b.c-d_*=2", "a\t,\t b ;  c=1",
  ]

  private func number(_ item: RFC9651BareItem) -> Double? {
    switch item {
    case .integer(let integer): Double(integer)
    case .decimal(let decimal): Double(decimal.mantissa) * pow(10, Double(decimal.exponent))
    default: nil
    }
  }

  private func member(_ member: ItemOrInnerList) -> StructuredField.Member {
    let (item, parameters) =
      switch member {
      case .item(let item): (number(item.rfc9651BareItem), item.rfc9651Parameters)
      case .innerList(let list): (nil, list.rfc9651Parameters)
      }
    return (item, Dictionary(uniqueKeysWithValues: parameters.map { ($0.0, number($0.1)) }))
  }

  private func isEqual(_ one: StructuredField.Member, _ other: StructuredField.Member) -> Bool {
    func isEqual(_ one: Double??, _ other: Double??) -> Bool {
      guard let one = one ?? nil, let other = other ?? nil else {
        return (one ?? nil) == nil && (other ?? nil) == nil
      }
      return abs(one - other) < 1e-9 * max(1, abs(one))
    }
    return isEqual(one.number, other.number) && one.parameters.keys == other.parameters.keys
      && one.parameters.allSatisfy { isEqual($0.value, other.parameters[$0.key]) }
  }

  private func compare(_ text: String) {
    var parser = StructuredFieldValueParser(Array(text.utf8))
    let list = (try? parser.parseListFieldValue())?.map(member)
    let found = StructuredField.list(text)
    #expect((found == nil) == (list == nil), "list \(text)")
    if let list, let found {
      #expect(
        list.count == found.count && zip(list, found).allSatisfy { isEqual($0, $1) }, "\(text)")
    }
    parser = StructuredFieldValueParser(Array(text.utf8))
    let dictionary = (try? parser.parseDictionaryFieldValue()).map { map in
      Dictionary(uniqueKeysWithValues: map.map { ($0.0, member($0.1)) })
    }
    let foundDictionary = StructuredField.dictionary(text)
    #expect((foundDictionary == nil) == (dictionary == nil), "dictionary \(text)")
    if let dictionary, let foundDictionary {
      #expect(
        dictionary.count == foundDictionary.count
          && dictionary.allSatisfy { isEqual($0.value, foundDictionary[$0.key] ?? (nil, [:])) },
        "\(text)")
    }
  }

  @Test(
    arguments: samples + [
      "", " ", "a,", ",a", "a;", "a;B=1", "a;=1", "A=1", "1.", "1.2345", "1234567890123456", "--1",
      "1234567890123.1", #""a"#, #""a\x""#, "\"é\"", ":a", ":!:", "?2", "@1.5", "(a", "(a,b)",
      "a b",
      "a=", "a=1,,b=2", #"%"a%C3""#, "\ta", "a\t", "limit=100 remaining=1",
    ])
  func `a value is read as the other library reads it`(text: String) {
    compare(text)
  }

  @Test func `a mutated value is read as the other library reads it`() {
    var generator = SeededGenerator(seed: Fuzz.seed())
    for _ in 0..<Fuzz.runs(10_000) {
      let bytes = generator.mutated(Self.samples, with: #"abrAZ019:;,=()?@*"\ .-_/"#)
      compare(String(decoding: bytes, as: UTF8.self))
    }
  }
}
