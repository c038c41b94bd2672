import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DateTests {
  private static let valid = [
    "2026-11-22T23:59:59Z", "2024-02-29T12:00:00Z", "2026-01-01T00:00:00+00:00",
    "1970-01-01T00:00:00Z", "2026-06-15T10:20:30+02:00", "2026-06-15T10:20:30-11:30",
    "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1900-03-01T00:00:00Z", "2000-02-29T00:00:00Z",
    "1969-12-31T23:59:59Z", "2001-01-01T00:00:00Z", "1582-10-15T00:00:00Z", "1582-10-10T00:00:00Z",
    "1500-02-29T00:00:00Z", "2038-01-19T03:14:08Z",
  ]

  private static let odd = [
    "2026-02-30T12:00:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-01-01T24:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T23:60:00Z", "2026-01-01T23:59:60Z",
    "2026-01-01T23:59:61Z", "2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
    "99999-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "+2026-01-01T00:00:00Z", "26-01-01T00:00:00Z",
    "2026-1-1T0:0:0Z", "2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.123456Z",
    "2026-01-01T00:00:00,5Z", "2026-01-01 00:00:00Z", "2026-01-01t00:00:00z",
    "2026-01-01T00:00:00z", "2026-01-01T00:00:00", "2026-01-01T00:00:00 Z", " 2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00ZZ", "2026-01-01T00:00:00Zx", "2026-01-01T00:00Z",
    "2026-01-01", "2026-01-01T", "2026", "", "now", "Z", "2026-01-01T00:00:00+0200",
    "2026-01-01T00:00:00+02", "2026-01-01T00:00:00+2", "2026-01-01T00:00:00+02:0",
    "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+23:59", "2026-01-01T00:00:00-00:00",
    "2026-01-01T00:00:00+99:99", "2026-01-01T00:00:00+02:60", "2026-01-01T00:00:00+02:00:30",
    "2026-01-01T00:00:00GMT", "2026-01-01T00:00:00UTC", "2026-01-01T00:00:00GMT+2",
    "2026-01-01T00:00:00PST", "2026-01-01T00:00:00\u{2212}02:00", "２０２６-01-01T00:00:00Z",
    "2026/01/01T00:00:00Z", "20260101T000000Z", "2026-W01-1T00:00:00Z", "2026-001T00:00:00Z",
    "2026-01-01T00:00:0xZ", "2026-01-01T00:00:00.Z", "2026-01-01T000000Z", "2026-01-01T00.00.00Z",
    "2026-01-01T-1:00:00Z", "2026-01-01T00:00:00+", "2026-01-01T00:00:00-", "2026-01-01TT00:00:00Z",
    "2026--01-01T00:00:00Z", "2026-01-01T00:00:00+-2:00", "2026-01-01T00:00:00Z\u{0}",
    "\u{0}2026-01-01T00:00:00Z", "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+002:00",
  ]

  private func check(_ texts: [String], _ strategy: JSONDecoder.DateDecodingStrategy) {
    expectSameAnywhere(Date.self, in: texts) { $0.dateDecodingStrategy = strategy }
    for text in texts {
      expectSame(
        asEachOf: [[DatesWithin].self, [[String: [Date]]].self],
        "[{\"a\":{\"b\":\(text),\"c\":[\(text)]}}]"
      ) { $0.dateDecodingStrategy = strategy }
    }
  }

  /// Dates in containers of the same value, whose errors have their own coding paths.
  struct DatesWithin: Decodable, Equatable {
    let first: Date?, second: Date?
    init(from decoder: any Decoder) throws {
      let inner = try decoder.container(keyedBy: AnyKey.self).nestedContainer(
        keyedBy: AnyKey.self, forKey: "a")
      var elements = try inner.nestedUnkeyedContainer(forKey: "c")
      first = try? inner.decode(Date.self, forKey: "none")
      second =
        try first ?? (try? inner.decode(Date.self, forKey: "b")) ?? elements.decode(Date.self)
    }
  }

  @Test func `iso8601 is the same`() {
    check(Self.valid.map { "\"\($0)\"" }, .iso8601)
    check(Self.odd.map { "\"\($0.replacing("\u{0}", with: "\\u0000"))\"" }, .iso8601)
    check(
      ["1", "null", "[]", "\"2026-01-01T00:00:00\\u005a\"", "\"\\x\"", "true", "-", "{}"], .iso8601)
    let outcome = expectSame(
      Date.self, "\"2001-01-01T01:00:00+01:00\"", configure: iso8601)
    #expect(outcome.value?.timeIntervalSinceReferenceDate == 0)
  }

  @Test func `every day of some years is the same`() {
    for year in [1, 4, 100, 400, 1582, 1752, 1899, 1972, 2000, 2023, 2100, 9999] {
      for month in 1...12 {
        let days = (1...32).map { day in
          String(
            format: "\"%04d-%02d-%02dT%02d:%02d:%02dZ\"", year, month, day, day % 24, day, 59 - day)
        }
        for day in days { expectSame(Date.self, day, configure: iso8601) }
        expectSame([Date].self, days.prefix(28).array, configure: iso8601)
        expectSame([Date].self, days.array, configure: iso8601)
      }
    }
  }

  private let numbers = [
    "0", "1", "-1", "1.5", "1700000000", "1700000000123", "1e9", "1e400", "-0", "null", "\"1\"",
    "[]", "{}",
    "true", "-", "1.", "0.000001", "-62135596800", "253402300799", "1e300", "978307200.123456789",
  ]

  @Test func `numbers are the same`() {
    check(numbers, .secondsSince1970)
    check(numbers, .millisecondsSince1970)
    check(numbers, .deferredToDate)
  }

  struct Odd: Error {}

  @Test func `custom closures are the same`() {
    check(
      numbers + ["\"text\"", "{\"s\":5}"],
      .custom { decoder in
        if let text = try? decoder.singleValueContainer().decode(String.self) {
          return Date(timeIntervalSince1970: Double(text.count))
        }
        if let container = try? decoder.container(keyedBy: AnyKey.self) {
          return Date(timeIntervalSince1970: try container.decode(Double.self, forKey: "s"))
        }
        let number = try decoder.singleValueContainer().decode(Double.self)
        guard number >= 0 else { throw Odd() }
        return Date(timeIntervalSince1970: number + Double(decoder.codingPath.count))
      })
    check(["1", "null", "[]"], .custom { _ in .distantPast })
    check(["1", "[1]"], .custom { try Date(from: $0) })
  }
}
