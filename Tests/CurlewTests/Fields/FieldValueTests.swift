import Curlew
import Foundation
import HTTPTypes
import Testing

/// Values of header fields that are parsed independently.
@Suite(.timeLimit(.minutes(1)))
struct FieldValueTests {
  /// Fri, 15 Jan 2027 08:00:00 GMT.
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  // MARK: Content-Range

  @Test(
    arguments: [
      ("bytes 0-99/1000", 0...99, 1_000), ("Bytes 5-5/6", 5...5, 6), ("bytes 0-99/*", 0...99, nil),
      ("bytes */1000", nil, 1_000), ("bytes  7-8/9 ", 7...8, 9),
    ] as [(String, ClosedRange<Int>?, Int?)])
  func `content ranges are read`(text: String, bytes: ClosedRange<Int>?, total: Int?) throws {
    let fields: HTTPFields = [.contentRange: text]
    let range = try #require(fields.contentRange)
    #expect(range.bytes == bytes)
    #expect(range.total == total)
  }

  @Test(arguments: [
    "", "bytes", "bytes 0-99", "bytes */*", "bytes 9-0/10", "bytes 0-10/10", "bytes -5/10",
    "bytes 0-/10", "items 0-1/2", "bytes=0-99/1000", "bytes 0-99/1000x", "bytes 0 - 9/10",
    "bytes 0-99999999999999999999/*", "bytes a-b/c",
  ])
  func `content range that can't be true is none`(text: String) {
    #expect(ContentRange(text) == nil)
  }

  // MARK: Content-Type

  @Test(arguments: [
    ("application/json", "application", "json"), ("TEXT/HTML", "text", "html"),
    ("  application/problem+json  ", "application", "problem+json"),
    ("application/vnd.github.v3+json; charset=utf-8", "application", "vnd.github.v3+json"),
  ])
  func `media types are read`(text: String, type: String, subtype: String) throws {
    let media = try #require(MediaType(text))
    #expect(media.type == type)
    #expect(media.subtype == subtype)
  }

  @Test(arguments: [
    "", "json", "/json", "application/", "application", "text/html/x", "text html", "text/ html",
    "text/html charset=utf-8", "täxt/html", ";", "text/html,text/plain",
  ])
  func `what is no media type is none`(text: String) {
    #expect(MediaType(text) == nil)
  }

  @Test func `parameters are read in quotes and without`() throws {
    let media = try #require(
      MediaType(#"multipart/form-data; Boundary="a; \"b\" c" ;charset=UTF-8;; x; charset=late"#))
    #expect(media.parameters == ["boundary": #"a; "b" c"#, "charset": "UTF-8"])
  }

  @Test(arguments: [
    ("application/json", true), ("application/problem+json", true), ("text/json", true),
    ("application/jsonp", false), ("text/html", false),
  ])
  func `json is known`(text: String, isJSON: Bool) throws {
    let fields: HTTPFields = [.contentType: text]
    #expect(fields.mediaType?.isJSON == isJSON)
  }

  // MARK: Retry-After

  @Test(arguments: [
    ("0", 0), ("120", 120), (" 60 ", 60), ("007", 7), ("86400", 86_400),
    ("Fri, 15 Jan 2027 08:01:30 GMT", 90), ("Friday, 15-Jan-27 08:01:30 GMT", 90),
    ("Fri Jan 15 08:01:30 2027", 90), ("Sat, 16 Jan 2027 08:00:00 GMT", 86_400),
    ("Fri, 15 Jan 2027 07:59:59 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
    // The result is capped at a century.
    ("9999999999", 3_155_760_000), ("99999999999999999999999999", 3_155_760_000),
  ])
  func `seconds and dates to retry after are read`(value: String, seconds: Int) {
    let fields: HTTPFields = [.retryAfter: value]
    #expect(fields.retryAfter(now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "soon", "-1", "+5", "1.5", "60s", "1e3", "٦٠", "60, 120", "0x10", "Fri, 15 Jan 2027",
  ])
  func `nonsense is no time to retry`(value: String) {
    let fields: HTTPFields = [.retryAfter: value]
    #expect(fields.retryAfter(now: now) == nil && HTTPFields().retryAfter(now: now) == nil)
  }

  @Test func `no field is nothing`() {
    #expect(HTTPFields().retryAfter(now: now) == nil)
  }

  // MARK: Rate limits

  /// Fields with their limit, remaining requests and seconds to the reset.
  static let limits: [(HTTPFields, Int?, Int, Int?)] = [
    // GitHub's fields; the second reset has passed, and a small number is a duration, not a date.
    (
      [
        "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "57",
        "X-RateLimit-Reset": "1800000900", "X-RateLimit-Used": "3",
      ], 60, 57, 900
    ),
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1799999999"], nil, 0, 0),
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], nil, 0, 30),
    (["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "tomorrow"], nil, 3, nil),
    // Both forms of the IETF draft's field.
    (["RateLimit": #""default";r=50;t=30"#], nil, 50, 30),
    (["RateLimit": #""default"; r=50; t=30"#], nil, 50, 30),
    (["RateLimit": #""default";r=0"#], nil, 0, nil),
    (["RateLimit": #""hour";r=900;t=3000, "burst";r=2;t=5"#], nil, 2, 5),
    (["RateLimit": #""remaining";r=7;t=3"#], nil, 7, 3),
    (["RateLimit": "limit=100, remaining=50, reset=30"], 100, 50, 30),
    (["RateLimit": "limit=100,remaining=0,reset=1"], 100, 0, 1),
    (["RateLimit": "remaining=4"], nil, 4, nil),
    (["RateLimit": #""a";r=9;t=1"#, "RateLimit": #""b";r=3;t=60"#], nil, 3, 60),
    (["RateLimit-Limit": "10", "RateLimit-Remaining": "1", "RateLimit-Reset": "50"], 10, 1, 50),
    // The IETF draft's field takes precedence.
    (["X-RateLimit-Remaining": "5", "RateLimit": #""a";r=1"#], nil, 1, nil),
  ]

  @Test(arguments: limits.indices)
  func `rate limits are read`(index: Int) {
    let (fields, limit, remaining, seconds) = Self.limits[index]
    let expected = RateLimit(
      limit: limit, remaining: remaining, reset: seconds.map { .seconds($0) })
    #expect(fields.rateLimit(now: now) == expected)
  }

  @Test(
    arguments: [
      ["X-RateLimit-Remaining": "many"], ["X-RateLimit-Remaining": "-1"],
      ["X-RateLimit-Remaining": ""], ["X-RateLimit-Remaining": "1234567890123"],
      ["X-RateLimit-Reset": "1800000900"], ["RateLimit": ""], ["RateLimit": "r"],
      ["RateLimit": "r="], ["RateLimit": #""default";t=30"#], ["RateLimit": "remaining=x"],
    ] as [HTTPFields])
  func `nonsense is no rate limit`(fields: HTTPFields) {
    #expect(fields.rateLimit(now: now) == nil)
  }
}
