import Foundation
import HTTPTypes
import Testing

@testable import Curlew

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
    "soon", "-1", "1e3", "٦٠", "60, 120", "0x10", "Fri, 15 Jan 2027", "rand(30),add(30)", "NaN",
    "inf", "1e10000", "1.", ".5", "1.5.2", "2 3", "2 apples", "s", "+", "Infinity", "<n>", "null",
    "2027-13-15T08:01:30Z", "2027-01-15", "Fri, 15 Jan 2027 08:01:30 PST", "08:01:30", "{{wait}}",
  ])
  func `an unreadable time to retry is noticed`(value: String) {
    for name in ["retry-after", "retry-after-ms", "x-ms-retry-after-ms"] {
      let fields = HTTPFields([HTTPField(name: HTTPField.Name(name)!, value: value)])
      #expect(fields.retryAfter(now: now) == nil && fields.hasUnreadableRetryAfter(now: now))
    }
  }

  @Test(
    arguments: [[:], [.retryAfter: ""], [.retryAfter: "  "], [.retryAfter: "5"]] as [HTTPFields])
  func `an empty or readable time to retry is not unreadable`(fields: HTTPFields) {
    #expect(!fields.hasUnreadableRetryAfter(now: now))
  }

  @Test func `no field is nothing`() {
    #expect(HTTPFields().retryAfter(now: now) == nil)
  }

  // MARK: Rate limits

  /// Fields with their limit, remaining requests and seconds to the reset.
  static let limits: [(HTTPFields, Int?, Int, Double?)] = [
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
    // Draft 3 has several windows: https://www.ietf.org/archive/id/draft-ietf-httpapi-ratelimit-headers-03.html
    (["RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "5"], 100, 5, nil),
    // Docker Hub: https://docs.docker.com/docker-hub/usage/pulls/
    (
      ["ratelimit-limit": "100;w=21600", "ratelimit-remaining": "0;w=21600"], 100, 0, nil
    ),
    // Reddit sends decimals: https://github.com/praw-dev/prawcore (rate_limit.py reads floats).
    (
      ["x-ratelimit-used": "600", "x-ratelimit-remaining": "0.0", "x-ratelimit-reset": "2"], nil, 0,
      2
    ),
    (["x-ratelimit-remaining": "0.9", "x-ratelimit-reset": "59.5"], nil, 0, 59.5),
    // Discord: https://discord.com/developers/docs/topics/rate-limits
    (
      [
        "X-RateLimit-Limit": "5", "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "1800000009.5", "X-RateLimit-Reset-After": "2.250",
      ], 5, 0, 2.25
    ),
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000009.5"], nil, 0, 9.5),
    // X: https://docs.x.com/x-api/fundamentals/rate-limits;
    // Okta: https://developer.okta.com/docs/reference/rl-best-practices/
    (
      [
        "x-rate-limit-limit": "15", "x-rate-limit-remaining": "0",
        "x-rate-limit-reset": "1800000002",
      ], 15, 0, 2
    ),
    // Rocket.Chat (RocketChat/docs-old#1358) and vercel/vercel#14947: milliseconds since 1970.
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000003000"], nil, 0, 3),
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000003500.0"], nil, 0, 3.5),
    // Resets as dates: https://platform.claude.com/docs/en/api/rate-limits has RFC 3339 dates,
    // https://docs.gitlab.com/security/rate_limits/ an HTTP date; as Go's durations: OpenAI's documentation.
    (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2027-01-15T08:00:30Z"], nil, 0, 30),
    (
      ["RateLimit-Remaining": "0", "RateLimit-Reset": "Fri, 15 Jan 2027 08:00:30 GMT"], nil, 0, 30
    ),
    (["x-ratelimit-remaining": "0", "x-ratelimit-reset": "1m1.5s"], nil, 0, 61.5),
    // Strings are not split (RFC 9651 section 3.3.3).
    (["RateLimit": #""a;r=0,b";r=50"#], nil, 50, nil),
    (["RateLimit": #""a,b;r=0;t=5";r=50;t=9, "limit=1, remaining=0";r=60"#], nil, 50, 9),
    (["RateLimit": #""\"r=0;r=0";r=7"#], nil, 7, nil),
    // huggingface/huggingface_hub#3570, and a partition key of draft 10, which is a byte sequence.
    (["RateLimit": #""api";r=0;t=2"#], nil, 0, 2),
    (["RateLimit": #""a";r=4;t=2.5;pk=:cj0wO3I9MA==:"#], nil, 4, 2.5),
    (["RateLimit": "limit=100, remaining=0;w=60, reset=1.5"], 100, 0, 1.5),
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
      ["X-RateLimit-Remaining": "5x"], ["X-RateLimit-Remaining": "5, x"],
      ["X-RateLimit-Remaining": "1."], ["X-RateLimit-Remaining": "unlimited"],
      ["RateLimit": #""a;r=0"#], ["RateLimit": #""a;r=0""#], ["RateLimit": #""a";r=-1"#],
      ["RateLimit": #""a";r="0""#], ["RateLimit": #""a";r"#], ["RateLimit": #""a";r=0,"#],
      ["X-RateLimit-Reset": "1800000900"], ["RateLimit": ""], ["RateLimit": "r"],
      ["RateLimit": "r="], ["RateLimit": #""default";t=30"#], ["RateLimit": "remaining=x"],
    ] as [HTTPFields])
  func `nonsense is no rate limit`(fields: HTTPFields) {
    #expect(fields.rateLimit(now: now) == nil)
  }
}
