import Curlew
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RateLimitTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func limit(_ fields: [(String, String)]) -> RateLimit? {
    var result = HTTPFields()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { result.append(HTTPField(name: name, value: value)) }
    }
    return result.rateLimit(now: now)
  }

  @Test func gitHubsFieldsAreRead() {
    let read = limit([
      ("X-RateLimit-Limit", "60"), ("X-RateLimit-Remaining", "57"),
      ("X-RateLimit-Reset", "1800000900"), ("X-RateLimit-Used", "3"),
    ])
    #expect(read == RateLimit(limit: 60, remaining: 57, reset: .seconds(900)))
  }

  @Test func aResetThatHasPassedIsNow() {
    let read = limit([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1799999999")])
    #expect(read == RateLimit(remaining: 0, reset: .zero))
  }

  @Test func aShortResetIsATimeAndNotAMoment() {
    let read = limit([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "30")])
    #expect(read?.reset == .seconds(30))
  }

  @Test(arguments: [
    (#""default";r=50;t=30"#, RateLimit(remaining: 50, reset: .seconds(30))),
    (#""default"; r=50; t=30"#, RateLimit(remaining: 50, reset: .seconds(30))),
    (#""default";r=0"#, RateLimit(remaining: 0)),
    (#""hour";r=900;t=3000, "burst";r=2;t=5"#, RateLimit(remaining: 2, reset: .seconds(5))),
    (#""remaining";r=7;t=3"#, RateLimit(remaining: 7, reset: .seconds(3))),
    (
      "limit=100, remaining=50, reset=30",
      RateLimit(limit: 100, remaining: 50, reset: .seconds(30))
    ),
    ("limit=100,remaining=0,reset=1", RateLimit(limit: 100, remaining: 0, reset: .seconds(1))),
    ("remaining=4", RateLimit(remaining: 4)),
  ])
  func bothFormsOfTheIETFsFieldAreRead(value: String, expected: RateLimit) {
    #expect(limit([("RateLimit", value)]) == expected)
  }

  @Test func policiesInFieldsOfTheirOwnAreComparedToo() {
    let read = limit([("RateLimit", #""a";r=9;t=1"#), ("RateLimit", #""b";r=3;t=60"#)])
    #expect(read == RateLimit(remaining: 3, reset: .seconds(60)))
  }

  @Test func theSingleFieldsAreRead() {
    let read = limit([
      ("RateLimit-Limit", "10"), ("RateLimit-Remaining", "1"), ("RateLimit-Reset", "50"),
    ])
    #expect(read == RateLimit(limit: 10, remaining: 1, reset: .seconds(50)))
  }

  @Test func theIETFsFieldWinsOverTheOthers() {
    let read = limit([("X-RateLimit-Remaining", "5"), ("RateLimit", #""a";r=1"#)])
    #expect(read?.remaining == 1)
  }

  @Test(arguments: [
    [("X-RateLimit-Remaining", "many")], [("X-RateLimit-Remaining", "-1")],
    [("X-RateLimit-Remaining", "")], [("X-RateLimit-Remaining", "1234567890123")],
    [("X-RateLimit-Reset", "1800000900")], [("RateLimit", "")], [("RateLimit", "r")],
    [("RateLimit", "r=")], [("RateLimit", #""default";t=30"#)], [("RateLimit", "remaining=x")],
  ])
  func nonsenseIsNothing(fields: [(String, String)]) {
    #expect(limit(fields) == nil)
  }

  @Test func aLimitWithoutAReadableResetHasNone() {
    let read = limit([("X-RateLimit-Remaining", "3"), ("X-RateLimit-Reset", "tomorrow")])
    #expect(read == RateLimit(remaining: 3))
  }
}
