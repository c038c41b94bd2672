import Curlew
import CurlewTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct QueryValueTests {
  enum Sort: String, QueryValue, Encodable { case created, updated = "last updated" }
  enum Size: Int, QueryValue, CustomStringConvertible {
    case small = 10
    var description: String { "Small" }
  }

  static let date = Date(timeIntervalSince1970: 1_795_367_100.9)

  @Test func aLiteralTakesEnumsDatesAndNumbers() throws {
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
      (-12_219_292_800, "1582-10-15T00:00:00Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
      (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, nil), (-62_135_596_801, nil),
      (.nan, nil), (.infinity, nil), (-.infinity, nil), (1e300, nil),
    ] as [(Double, String?)])
  func aDateIsItsTextInUTC(seconds: Double, text: String?) {
    let query: Query = ["d": Date(timeIntervalSince1970: seconds)]
    #expect(query.items.map(\.value) == (text.map { [$0] } ?? []))
  }

  @Test func aDatesTextIsReadBackAsTheDate() {
    var generator = SeededGenerator(seed: 12)
    for _ in 1...2_000 {
      // From 1583 to 9999.
      let seconds = Int.random(in: -12_212_553_600...253_402_300_799, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect((try? Date(date.queryValues[0], strategy: .iso8601)) == date)
    }
  }

  @Test func severalSecretsAreSecret() {
    let query: Query = ["k": [Sensitive("hunter2"), Sensitive("hunter3")]]
    #expect(query.encoded == "k=hunter2&k=hunter3")
    #expect("\(query)" == "k=***&k=***")
  }

  @Test func queriesAreComposed() {
    let filter: Query = ["state": "open", "page": 1, "label": "a", "label": "b"]
    #expect((filter + ["page": 2]).encoded == "state=open&page=1&label=a&label=b&page=2")
    #expect(filter.merging(["page": 2, "label": "c"]).encoded == "state=open&page=2&label=c")
    #expect(filter.merging([:]) == filter)
    var query: Query = ["q": "x"]
    query = query + ["page": 2]
    #expect(query.encoded == "q=x&page=2")
  }
}
