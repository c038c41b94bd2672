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
    "list",
    "map", "twice", "raw", "nested", "value",
  ]
  private let good = [
    "1", "2", "3", "\"four\"", "true", "6.5", "7.5", "8", "\"aGk=\"", "\"https://a.b\"", "0.1",
    "[1,null]",
    "{\"a\":[null,2]}", "3", "\"red\"", "{\"v\":null}", "[null]",
  ]

  @Test func absentNullAndPresentAreTheSame() {
    expectSame(All.self, "{}")
    expectSame([All?].self, "[null,{}]")
    expectSame(All.self, "{\(names.map { "\"\($0)\":null" }.joined(separator: ","))}")
    let fields = zip(names, good).map { "\"\($0)\":\($1)" }
    #expect(expectSame(All.self, "{\(fields.joined(separator: ","))}").value?.url?.host() == "a.b")
    expectSame(All.self, "{\(fields.reversed().joined(separator: ", "))}")
    for index in names.indices {
      var some = fields
      some.remove(at: index)
      expectSame(All.self, "{\(some.joined(separator: ","))}")
      for text in [
        "null", "[]", "{}", "\"x\"", "1", "-1", "true", "-", "\"\\x\"", "[true]", "{\"a\":1}",
      ] {
        some = fields
        some[index] = "\"\(names[index])\":\(text)"
        expectSame(All.self, "{\(some.joined(separator: ","))}")
      }
    }
  }

  @Test func nestedOptionalsAreTheSame() {
    for text in ["null", "1", "\"x\"", "[null]", "[]", "[[null,1]]", "[1,null]"] {
      expectSame(Int?.self, text)
      expectSame(Int???.self, text)
      expectSame([Int?].self, text)
      expectSame([Int?]?.self, text)
      expectSame([[Int?]?].self, text)
      expectSame([String??].self, text)
      expectSame(Holder<Int??>.self, "{\"v\":\(text)}")
      expectSame(Maybe<Int??>.self, "{\"v\":\(text)}")
      expectSame(Maybe<[Int?]>.self, "{\"v\":\(text)}")
      expectSame([Maybe<Int>].self, "[{},{\"v\":\(text)}]")
      expectSame([String: Int??].self, "{\"k\":\(text)}")
    }
  }

  @Test func listsOfOptionalsAreTheSame() {
    let text = "[null,1,null,2]"
    expectSame([Int?].self, text)
    expectSame([Int8?].self, text)
    expectSame([UInt64?].self, text)
    expectSame([Int128?].self, text)
    expectSame([Double?].self, text)
    expectSame([Float?].self, text)
    expectSame([Decimal?].self, text)
    expectSame([Date?].self, text)
    expectSame([Bool?].self, "[null,true,null]")
    expectSame([String?].self, "[null,\"a\",null,\"\u{E4}\"]")
    expectSame([[String: [Int?]]].self, "[{\"a\":[null,1]},{},{\"b\":[]}]")
    for type in ["true", "\"a\"", "1.5", "[]", "{}"] {
      expectSame([Int?].self, "[null,1,\(type)]")
      expectSame([Int].self, "[1,\(type)]")
      expectSame([Bool].self, "[true,\(type)]")
      expectSame([String].self, "[\"x\",\(type)]")
      expectSame([Double].self, "[1e3,\(type)]")
      expectSame([Float].self, "[1e3,\(type)]")
      expectSame([UInt].self, "[7,\(type)]")
      expectSame([Bool?].self, "[null,\(type)]")
      expectSame([String?].self, "[null,\(type)]")
    }
  }
}
