import Foundation
import Testing

@testable import Curlew

struct SetCookieTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test func `name and value are trimmed and attributes read`() throws {
    let cookie = try #require(
      SetCookie(
        " id = a=b ; Path=/app; Domain=.Example.com; Secure; HttpOnly; SameSite=Lax", now: now))
    #expect(cookie.name == "id" && cookie.value == "a=b")
    #expect(cookie.path == "/app" && cookie.domain == "example.com" && cookie.isSecure)
    #expect(cookie.expires == nil)
  }

  @Test(arguments: [
    "", " ", "=", " = ; Path=/", "a=\u{1}", "\u{1}", "=a\u{7F}",
    "a=" + String(repeating: "x", count: 5_000),
  ])
  func `what is no cookie is none`(text: String) {
    #expect(SetCookie(text, now: now) == nil)
  }

  /// RFC 6265bis section 5.6 step 3; httpwg/http-extensions#1018, pallets/werkzeug#841, servo/servo#25609.
  @Test(arguments: [
    ("token-only; Path=/", "token-only"), ("token-only", "token-only"), ("=value", "value"),
    (" = value ;Secure", "value"), ("==", "="), ("=a=b", "a=b"), ("two words", "two words"),
  ])
  func `a cookie may have no name`(text: String, value: String) {
    let cookie = SetCookie(text, now: now)
    #expect(cookie?.name == "" && cookie?.value == value)
  }

  @Test func `max age wins over expires`() throws {
    let text = "a=b; Max-Age=60; Expires=Wed, 09 Jun 2100 10:18:14 GMT"
    #expect(SetCookie(text, now: now)?.expires == now.addingTimeInterval(60))
    #expect(SetCookie("a=b; max-age=-1", now: now)?.expires == .distantPast)
    #expect(SetCookie("a=b; max-age=0", now: now)?.expires == .distantPast)
    #expect(SetCookie("a=b; max-age=soon", now: now)?.expires == nil)
  }

  @Test(arguments: [
    "Wed, 09 Jun 2021 10:18:14 GMT", "Wed, 09-Jun-2021 10:18:14 GMT", "09 Jun 21 10:18:14",
    "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021", "10:18:14 2021 june 9",
    // A day, a time or a year may be followed by anything but a digit (RFC 6265 section 5.1.1); the examples are like
    // those of https://github.com/abarth/http-state/blob/master/tests/data/dates/examples.json.
    "Wed, 9th Jun 2021 10:18:14 GMT", "Wed, 09 Jun 2021 10:18:14GMT", "09 Jun 2021AD 10:18:14",
    "09 Jun 2021 10:18:14Z", "09 Jun 2021 10:18:14.250 GMT", "Wed, 09 Jun 21a 10:18:14",
    "9st-June-2021é 10:18:14:99", "Wed, 09 Jun 2021 10:18:14+0000", "09\u{7F}x jun 2021 10:18:14",
  ])
  func `dates are read in any order`(text: String) {
    let expected = Date(timeIntervalSince1970: 1_623_233_894)
    #expect(SetCookie("a=b; expires=\(text)", now: now)?.expires == expected)
  }

  @Test(arguments: [
    "", "tomorrow", "09 Jun 1500 10:18:14", "31 Feb 2021 10:18:14", "9 Jun 2021",
    "009 Jun 2021 10:18:14", "9 Jun 20211 10:18:14", "9 Jun 2021 10:18:145", "9 Jun 2021 10a:18:14",
    "9 Jun 2021 10:18", "9 Jun 2021 10:18:", "9 Jun 2021 25:18:14", "9 Jun x2021 10:18:14",
    "9 Jun 2 10:18:14", "9 Jum 2021 10:18:14", ":: 9 Jun 2021",
  ])
  func `dates that are none are ignored`(text: String) {
    #expect(SetCookie("a=b; expires=\(text)", now: now)?.expires == nil)
  }

  @Test(arguments: [("69", 2069), ("70", 1970), ("99", 1999), ("00", 2000)])
  func `two digits of a year are of the nearest century`(digits: String, year: Int) throws {
    let cookie = SetCookie("a=b; expires=01 Jan \(digits) 00:00:00", now: now)
    let full = SetCookie("a=b; expires=01 Jan \(year) 00:00:00", now: now)
    #expect(cookie?.expires == full?.expires && cookie?.expires != nil)
  }

  @Test func `joined values are taken apart where a cookie begins`() {
    let joined = "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT, b=2, =3,, c = 4,d=5"
    #expect(
      SetCookie.values(in: joined) == [
        "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT", "b=2, =3,, c = 4", "d=5",
      ])
  }

  @Test func `what is too much is left out`() throws {
    let long = String(repeating: "x", count: 2_000)
    let cookie = try #require(SetCookie("a=b; Path=/\(long); Domain=\(long).com; Secure", now: now))
    #expect(cookie.path == nil && cookie.domain == nil && cookie.isSecure)
    let many = Array(repeating: "a=", count: 70_000).joined(separator: ",")
    #expect(SetCookie.values(in: many).count == 1_001)
  }
}
