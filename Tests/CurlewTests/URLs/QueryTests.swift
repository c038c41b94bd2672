import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueryTests {
  @Test func `nil drops its item`() {
    let page: Int? = nil
    let text: String? = "x"
    let query: Query = ["page": page, "q": text, "sort": nil]
    #expect(query.encoded == "q=x")
  }

  @Test func `an array repeats its name`() {
    let query: Query = ["labels": ["bug", "help wanted"], "none": [String](), "page": 2]
    #expect(query.encoded == "labels=bug&labels=help%20wanted&page=2")
  }

  @Test func `a name may come more than once and order stays`() {
    let query: Query = ["b": 1, "a": true, "b": 2.5]
    #expect(query.encoded == "b=1&a=true&b=2.5")
  }

  @Test(arguments: [
    ("a b", "a%20b"), ("c++", "c%2B%2B"), ("a&b=c", "a%26b%3Dc"), ("#?/", "%23%3F%2F"),
    ("100%", "100%25"), ("ü", "%C3%BC"), ("", ""), ("\r\n", "%0D%0A"), ("~-._", "~-._"),
    ("'();", "%27%28%29%3B"),
  ])
  func `names and values are encoded`(text: String, encoded: String) {
    #expect(Query([Query.Item("q", text)]).encoded == "q=\(encoded)")
    #expect(Query([Query.Item(text, "1")]).encoded == "\(encoded)=1")
  }

  @Test func `an empty query sends no question mark`() async throws {
    let stub = StubTransport()
    stub.stub(.get, "/**", with: .json("1"))
    let client = Client.stubbed(by: stub)
    let page: Int? = nil
    _ = try await client.send(Request<Int>.get("/a"))
    _ = try await client.send(Request<Int>.get("/a", query: ["page": page]))
    _ = try await client.send(Request<Int>.get("/a", query: ["q": "c++ ü"]))
    #expect(stub.requests.map(\.head.path) == ["/a", "/a", "/a?q=c%2B%2B%20%C3%BC"])
  }

  @Test func `a sensitive value is sent but not shown`() async throws {
    let query: Query = ["q": "x", "pin": Sensitive("hunter2")]
    #expect(query.encoded == "q=x&pin=hunter2")
    #expect("\(query)" == "q=x&pin=***")
    for value in [query, Sensitive("hunter2")] + query.items as [Any] {
      #expect(!allTexts(of: value).contains("hunter2"))
    }
  }

  // MARK: Values

  enum Sort: String, QueryValue, Encodable { case created, updated = "last updated" }
  enum Size: Int, QueryValue, CustomStringConvertible {
    case small = 10
    var description: String { "Small" }
  }

  static let date = Date(timeIntervalSince1970: 1_795_367_100.9)

  @Test func `a literal takes enums dates and numbers`() throws {
    let id = try #require(UUID(uuidString: "5ed5a0b4-8b84-4d5c-9a0f-0d6d0c4f5a11"))
    let url = try #require(URL(string: "b?c", relativeTo: URL(string: "https://a.example/")))
    let query: Query = [
      "sort": Sort.updated, "sizes": [Size.small, .small], "since": Self.date, "id": id, "at": url,
      "price": Decimal(string: "12345.60"), "f": Float(0.1), "i": Int8(-1), "u": UInt16(2),
      "none": Sort?.none,
    ]
    #expect(
      query.encoded == "sort=last%20updated&sizes=10&sizes=10&since=2026-11-22T17%3A05%3A00Z"
        + "&id=5ED5A0B4-8B84-4D5C-9A0F-0D6D0C4F5A11&at=https%3A%2F%2Fa.example%2Fb%3Fc"
        + "&price=12345.6&f=0.1&i=-1&u=2")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
      (1_795_367_099.999_999, "2026-11-22T17:04:59Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
      (951_868_800, "2000-03-01T00:00:00Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
      (-12_219_292_800, "1582-10-15T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, nil), (-62_135_596_801, nil),
      (.nan, nil), (.infinity, nil), (-.infinity, nil), (1e300, nil),
    ] as [(Double, String?)])
  func `a date is its text in UTC`(seconds: Double, text: String?) {
    let query: Query = ["d": Date(timeIntervalSince1970: seconds)]
    #expect(query.items.map(\.value) == (text.map { [$0] } ?? []))
  }

  @Test func `a dates text is read back as the date`() {
    var generator = SeededGenerator(seed: 12)
    for _ in 1...2_000 {
      // From 1583 to 9999.
      let seconds = Int.random(in: -12_212_553_600...253_402_300_799, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect((try? Date(date.queryValues[0], strategy: .iso8601)) == date)
    }
  }

  @Test func `several secrets are secret`() {
    let query: Query = ["k": [Sensitive("hunter2"), Sensitive("hunter3")]]
    #expect(query.encoded == "k=hunter2&k=hunter3")
    #expect("\(query)" == "k=***&k=***")
  }

  @Test func `queries are composed`() {
    let filter: Query = ["state": "open", "page": 1, "label": "a", "label": "b"]
    #expect((filter + ["page": 2]).encoded == "state=open&page=1&label=a&label=b&page=2")
    #expect(filter.merging(["page": 2, "label": "c"]).encoded == "state=open&page=2&label=c")
    #expect(filter.merging([:]) == filter)
  }

  // MARK: Values that are encoded

  private struct Filter: Encodable {
    enum CodingKeys: String, CodingKey {
      case state, sort, labels, since, id, price, link, share, size, isNew = "is_new", big, page
      case mark
    }
    var state = "open & new"
    var sort: Sort? = .created
    var labels: [String?]? = ["bug", nil, "help"]
    var since: Date? = QueryTests.date
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

  @Test func `a struct is a query`() throws {
    let query = try Query(encoding: Filter())
    #expect(
      query.items.map { "\($0.name)=\($0.value)" } == [
        "big=18446744073709551615", "id=5ED5A0B4-8B84-4D5C-9A0F-0D6D0C4F5A11", "is_new=true",
        "labels=bug", "labels=help", "link=https://a.example/?b", "mark=AQI=", "price=0.1",
        "share=0.5", "since=2026-11-22T17:05:00Z", "size=1.5", "sort=created", "state=open & new",
      ])
    #expect(query.encoded.hasSuffix("&size=1.5&sort=created&state=open%20%26%20new"))
  }

  @Test func `a dictionary is sorted`() throws {
    let values = Dictionary(uniqueKeysWithValues: (10...40).map { ("k\($0)", [$0, 1]) })
    let query = try Query(encoding: values)
    #expect(query.items.map(\.name) == (10...40).flatMap { ["k\($0)", "k\($0)"] })
    #expect(query.items.prefix(2).map(\.value) == ["10", "1"])
  }

  @Test func `dates are written as asked`() throws {
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
    let error = #expect(throws: EncodingError.self) {
      try Query(encoding: Since(since: date), dates: .custom { _, _ in throw Odd() })
    }
    #expect(error?.context?.reason == "odd")
  }

  private struct Holder<Value: Encodable & Sendable>: Encodable, Sendable { var a: Value }
  private enum Choice: Encodable, Sendable { case one(Int) }

  @Test(
    arguments: [
      (Holder(a: Holder(a: "hunter2")), "a"), (Holder(a: [Holder(a: "hunter2")]), "a.0"),
      (Holder(a: [[1]]), "a.0"), (Holder(a: ["k": 1]), "a"), (Holder(a: Choice.one(1)), "a"),
      (Holder(a: [1, Double.nan]), "a.1"), (Holder(a: Float.infinity), "a"),
      (Holder(a: Decimal.nan), ""), ("hunter2", ""), (["hunter2"], ""),
    ] as [(any Encodable & Sendable, String)])
  func `what has no form in a query is an error`(value: any Encodable & Sendable, path: String)
    throws
  {
    let error = #expect(throws: EncodingError.self) { try Query(encoding: value) }
    #expect(error?.context?.path == path)
    #expect(error.map { !"\($0)".contains("hunter2") } == true)
  }

  @Test func `an error of the value is kept`() throws {
    struct Broken: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue("hunter2", .init(codingPath: [], debugDescription: "no"))
      }
    }
    let error = #expect(throws: EncodingError.self) { try Query(encoding: Broken()) }
    #expect(error?.context?.reason == "no")
  }

  @Test func `nothing is an empty query`() throws {
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
