import Curlew
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueryEncodingTests {
  private typealias Sort = QueryValueTests.Sort

  private struct Filter: Encodable {
    enum CodingKeys: String, CodingKey {
      case state, sort, labels, since, id, price, link, share, size, isNew = "is_new", big, page
      case mark
    }
    var state = "open & new"
    var sort: Sort? = .created
    var labels: [String?]? = ["bug", nil, "help"]
    var since: Date? = QueryValueTests.date
    var id = UUID(uuidString: "5ED5A0B4-8B84-4D5C-9A0F-0D6D0C4F5A11")
    var price = Decimal(string: "0.10")
    var link = URL(string: "https://a.example/?b")
    var share = 0.5
    var size: Float = 1.5
    var isNew = true
    var big = UInt64.max
    var page: Int?
    var mark = Data([1, 2])
  }

  @Test func aStructIsAQuery() throws {
    let query = try Query(encoding: Filter())
    #expect(
      query.items.map { "\($0.name)=\($0.value)" } == [
        "state=open & new", "sort=created", "labels=bug", "labels=help",
        "since=2026-11-22T17:05:00Z", "id=5ED5A0B4-8B84-4D5C-9A0F-0D6D0C4F5A11", "price=0.1",
        "link=https://a.example/?b", "share=0.5", "size=1.5", "is_new=true",
        "big=18446744073709551615", "mark=AQI=",
      ])
    #expect(query.encoded.hasPrefix("state=open%20%26%20new&sort=created&labels=bug&labels=help&"))
  }

  @Test func aDictionaryIsSorted() throws {
    let values = Dictionary(uniqueKeysWithValues: (10...40).map { ("k\($0)", [$0, 1]) })
    let query = try Query(encoding: values)
    #expect(query.items.map(\.name) == (10...40).flatMap { ["k\($0)", "k\($0)"] })
    #expect(query.items.prefix(2).map(\.value) == ["10", "1"])
  }

  @Test func aValueMayEncodeItsPartsIntoTheSameQuery() throws {
    struct Paged: Encodable {
      enum CodingKeys: CodingKey { case page }
      func encode(to encoder: any Encoder) throws {
        try Filter(labels: nil, since: nil).encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(2, forKey: .page)
        var nested = values.nestedUnkeyedContainer(forKey: .page)
        try nested.encode(3)
      }
    }
    let items = try Query(encoding: Paged()).items
    #expect(items.first?.name == "state" && items.suffix(2).map(\.value) == ["2", "3"])
  }

  @Test func datesAreWrittenAsAsked() throws {
    struct Since: Encodable { var since: Date }
    let date = Date(timeIntervalSince1970: 1_795_367_100)
    let formats: [(JSONEncoder.DateEncodingStrategy, Date, String)] = [
      (.iso8601, date, "2026-11-22T17:05:00Z"), (.secondsSince1970, date, "1795367100"),
      (.secondsSince1970, date + 0.5, "1795367100.5"),
      (.millisecondsSince1970, date + 0.5, "1795367100500"),
      (.custom { try "@\(Int($0.timeIntervalSince1970))".encode(to: $1) }, date, "@1795367100"),
    ]
    for (format, date, text) in formats {
      let query = try Query(encoding: Since(since: date), dates: format)
      #expect(query.items == [Query.Item("since", text)])
    }
    struct Odd: Error, CustomStringConvertible { let description = "odd" }
    for (format, seconds, reason) in [
      (.iso8601, Double.nan, "the date has no text in this format"),
      (.secondsSince1970, .infinity, "the date has no text in this format"),
      (.custom { _, _ in throw Odd() }, 0, "odd"),
    ] as [(JSONEncoder.DateEncodingStrategy, Double, String)] {
      let value = Since(since: Date(timeIntervalSince1970: seconds))
      let error = #expect(throws: EncodingError.self) {
        try Query(encoding: value, dates: format)
      }
      #expect(error?.context?.path == "since" && error?.context?.reason == reason)
    }
  }

  private struct Holder<Value: Encodable & Sendable>: Encodable, Sendable { var a: Value }
  private enum Choice: Encodable, Sendable { case one(Int) }

  @Test(
    arguments: [
      (Holder(a: Holder(a: "hunter2")), "a", "a nested object has no standard form in a query"),
      (Holder(a: [Holder(a: "hunter2")]), "a.0", "a nested object has no standard form in a query"),
      (Holder(a: [[1]]), "a.0", "an array in an array has no standard form in a query"),
      (Holder(a: ["k": 1]), "a", "a nested object has no standard form in a query"),
      (Holder(a: [1, Double.nan]), "a.1", "the number is not finite"),
      (Holder(a: Float.infinity), "a", "the number is not finite"),
      (Holder(a: Decimal.nan), "a", "the number is not finite"),
      (Holder(a: Choice.one(1)), "a.one", "a nested object has no standard form in a query"),
      ("hunter2", "", "it has no name; encode a struct or a dictionary"),
      (["hunter2"], "0", "it has no name; encode a struct or a dictionary"),
    ] as [(any Encodable & Sendable, String, String)])
  func whatHasNoFormInAQueryIsAnError(
    value: any Encodable & Sendable, path: String, reason: String
  ) throws {
    let error = #expect(throws: EncodingError.self) { try Query(encoding: value) }
    #expect(error?.context?.path == path)
    #expect(error?.context?.reason == reason)
    #expect(error.map { !"\($0)".contains("hunter2") } == true)
  }

  @Test func anErrorOfTheValueIsKept() throws {
    struct Broken: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "no"))
      }
    }
    let error = #expect(throws: EncodingError.self) { try Query(encoding: Broken()) }
    #expect(error?.context?.reason == "no")
  }

  @Test func nothingIsAnEmptyQuery() throws {
    struct Empty: Encodable {}
    #expect(try Query(encoding: Empty()).items.isEmpty)
    #expect(try Query(encoding: [String: Int]()).items.isEmpty)
    #expect(try Query(encoding: Holder(a: [Int]())).items.isEmpty)
  }
}

extension EncodingError {
  fileprivate var context: (path: String, reason: String)? {
    guard case .invalidValue(_, let context) = self else { return nil }
    let path = context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
    return (path.joined(separator: "."), context.debugDescription)
  }
}
