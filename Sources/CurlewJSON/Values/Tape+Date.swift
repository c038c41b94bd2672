import Foundation

extension Tape {
  /// Returns the date of a string such as `2026-11-22T10:00:00Z`; `nil` for other texts, including other date formats.
  func internetDate(at index: Int) -> Date? {
    let word = self[index]
    guard word.kind == Word.Kind.ascii, word.length == 20 else { return nil }
    let start = bytes + word.offset
    guard let year = Self.number(start, 0, 4), let month = Self.number(start, 5, 2),
      let day = Self.number(start, 8, 2), let hour = Self.number(start, 11, 2),
      let minute = Self.number(start, 14, 2), let second = Self.number(start, 17, 2),
      start.byte(4) == UInt8(ascii: "-"), start.byte(7) == UInt8(ascii: "-"),
      start.byte(10) == UInt8(ascii: "T"), start.byte(13) == UInt8(ascii: ":"),
      start.byte(16) == UInt8(ascii: ":"), start.byte(19) == UInt8(ascii: "Z"),
      // Calendars differ in earlier years, and in their treatment of 30 February.
      year >= 1600, 1...12 ~= month, 1...Self.days(in: month, of: year) ~= day, hour < 24,
      minute < 60, second < 60
    else { return nil }
    let days = Self.days(year, month, day)
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return Date(timeIntervalSince1970: Double(seconds))
  }

  @inline(__always)
  private static func number(_ start: UnsafeRawPointer, _ index: Int, _ count: Int) -> Int? {
    var value = 0
    for offset in 0..<count {
      let digit = start.byte(index + offset) &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the number of days from 1 January 1970 to a day of the Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // Years starting in March have the leap day at their end.
    let year = month < 3 ? year - 1 : year
    let monthFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
  }
}
