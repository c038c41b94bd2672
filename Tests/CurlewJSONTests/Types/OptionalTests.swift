import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OptionalTests {
  struct All: Decodable, Equatable {
    let int: Int?, byte: UInt8?, wide: Int128?, text: String?, flag: Bool?, double: Double?,
      float: Float?
    let date: Date?, data: Data?, url: URL?, decimal: Decimal?, list: [Int?]?,
      map: [String: [Int?]]?
    let twice: Int??, raw: EnumTests.Color?, nested: Maybe<Int>?, value: JSONValue?
  }

  private let names = [
    "int", "byte", "wide", "text", "flag", "double", "float", "date", "data", "url", "decimal",
    "list", "map", "twice", "raw", "nested", "value",
  ]
  private let good = [
    "1", "2", "3", "\"four\"", "true", "6.5", "7.5", "8", "\"aGk=\"", "\"https://a.b\"", "0.1",
    "[1,null]", "{\"a\":[null,2]}", "3", "\"red\"", "{\"v\":null}", "[null]",
  ]

  @Test func `absent null and present are the same`() {
    expectSame(All.self, "{}")
    expectSame([All?].self, "[null,{}]")
    expectSame(All.self, names.map { "\"\($0)\":null" }.object)
    let fields = zip(names, good).map { "\"\($0)\":\($1)" }
    #expect(expectSame(All.self, fields.object).value?.url?.host() == "a.b")
    expectSame(All.self, "{\(fields.reversed().joined(separator: ", "))}")
    for index in names.indices {
      var some = fields
      some.remove(at: index)
      expectSame(All.self, some.object)
      for text in [
        "null", "[]", "{}", "\"x\"", "1", "-1", "true", "-", "\"\\x\"", "[true]", "{\"a\":1}",
      ] {
        some = fields
        some[index] = "\"\(names[index])\":\(text)"
        expectSame(All.self, some.object)
      }
    }
  }

  @Test func `nested optionals are the same`() {
    for text in ["null", "1", "\"x\"", "[null]", "[]", "[[null,1]]", "[1,null]"] {
      expectSameAnywhere(
        Int?.self, Int???.self, [Int?]?.self, [[Int?]?].self, [String??].self, in: [text])
      expectSame([Maybe<Int>].self, "[{},{\"v\":\(text)}]")
    }
  }
}
