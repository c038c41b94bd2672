import Foundation
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct HTTPDateTests {
  /// Fri, 15 Jan 2027 08:00:00 GMT.
  private let now = Date(timeIntervalSince1970: 1_800_000_000)

  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
  ])
  func `all three forms are read strictly too`(text: String) {
    let date = Date(timeIntervalSince1970: 784_111_777)
    #expect(HTTPDate.date(from: text, now: now) == date)
    for text in [text, text.uppercased(), text.lowercased()] {
      #expect(HTTPDate.strictDate(from: text, now: now) == date)
    }
  }

  @Test func `the preferred form is written`() {
    #expect(
      HTTPDate.text(of: Date(timeIntervalSince1970: 784_111_777))
        == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: -0.5)) == "Wed, 31 Dec 1969 23:59:59 GMT")
  }

  @Test(arguments: [
    "", " ", "0", "-1", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94000 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
    "Sun, ０6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08::37 GMT", "Sun, 06 Nov 1994 -8:49:37 GMT",
  ])
  func `nonsense is no date`(text: String) {
    #expect(HTTPDate.date(from: text, now: now) == nil)
  }

  @Test func `a leap second is the next minutes first`() {
    #expect(
      HTTPDate.date(from: "Sat, 31 Dec 2016 23:59:60 GMT")
        == HTTPDate.date(from: "Sun, 01 Jan 2017 00:00:00 GMT"))
  }

  @Test(arguments: [
    (2027, "27", 2027), (2027, "77", 2077), (2027, "78", 1978), (2027, "99", 1999),
    (2027, "00", 2000), (2099, "05", 2105), (2099, "49", 2149), (2099, "50", 2050),
  ])
  func `a year of two digits is at most50 years ahead`(present: Int, digits: String, year: Int)
    throws
  {
    let now = try #require(HTTPDate.date(from: "Wed, 01 Jul \(present) 00:00:00 GMT"))
    let date = try #require(
      HTTPDate.date(from: "Friday, 15-Jan-\(digits) 08:00:00 GMT", now: now))
    #expect(HTTPDate.text(of: date).contains(" Jan \(year) "))
  }

  @Test func `what is written is read as the same moment`() {
    var generator = SeededGenerator(seed: 1)
    // From the year 0 to the end of the year 9999.
    for _ in 0..<20_000 {
      let seconds = Int.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = HTTPDate.text(of: date)
      #expect(text.utf8.count == 29)
      #expect(HTTPDate.date(from: text, now: now) == date, "\(text)")
    }
  }

  @Test func `the writing is foundations`() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    var generator = SeededGenerator(seed: 2)
    // From 1600, after the Gregorian reform, to 2400.
    for _ in 0..<2_000 {
      let seconds = Int.random(in: -11_676_096_000...13_569_465_600, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      #expect(HTTPDate.text(of: date) == formatter.string(from: date))
    }
  }

  @Test(arguments: [
    (-62_167_219_200.0, "Sat, 01 Jan 0000 00:00:00 GMT"),
    (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
    (-31_557_014_168, "Sat, 30 Dec 0969 18:43:52 GMT"),
    (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    // Dates beyond four-digit years.
    (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"), (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (-.infinity, "Sat, 01 Jan 0000 00:00:00 GMT"), (.nan, "Sat, 01 Jan 0000 00:00:00 GMT"),
  ])
  func `the edges are written`(seconds: Double, text: String) {
    #expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
  }
}
