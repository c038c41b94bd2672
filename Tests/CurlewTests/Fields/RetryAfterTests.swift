import Curlew
import Foundation
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RetryAfterTests {
  /// Fri, 15 Jan 2027 08:00:00 GMT.
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(arguments: [
    ("0", 0), ("120", 120), (" 60 ", 60), ("007", 7), ("86400", 86_400),
    ("Fri, 15 Jan 2027 08:01:30 GMT", 90), ("Friday, 15-Jan-27 08:01:30 GMT", 90),
    ("Fri Jan 15 08:01:30 2027", 90), ("Sat, 16 Jan 2027 08:00:00 GMT", 86_400),
    ("Fri, 15 Jan 2027 07:59:59 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
    // A century is enough.
    ("9999999999", 3_155_760_000), ("99999999999999999999999999", 3_155_760_000),
  ])
  func secondsAndDatesAreRead(value: String, seconds: Int) {
    let fields: HTTPFields = [.retryAfter: value]
    #expect(fields.retryAfter(now: now) == .seconds(seconds))
  }

  @Test(arguments: [
    "", " ", "soon", "-1", "+5", "1.5", "60s", "1e3", "٦٠", "60, 120", "0x10", "Fri, 15 Jan 2027",
  ])
  func nonsenseIsNothing(value: String) {
    let fields: HTTPFields = [.retryAfter: value]
    #expect(fields.retryAfter(now: now) == nil)
  }

  @Test func noFieldIsNothing() {
    #expect(HTTPFields().retryAfter(now: now) == nil)
  }
}
