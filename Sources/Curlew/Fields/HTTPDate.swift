import Foundation

/// Parses and formats HTTP dates (RFC 9110 section 5.6.7).
///
/// All three forms are parsed: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994`.
enum HTTPDate {
  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses an HTTP date; returns `nil` for any other text.
  ///
  /// - Parameters:
  ///   - text: The field's value.
  ///   - now: The current date: a year of two digits is at most 50 years after it.
  static func date(from text: some StringProtocol, now: Date = Date()) -> Date? {
    let words = text.split { " ,-".contains($0) }
    guard words.count >= 5, words.count <= 6 else { return nil }
    // "Sun Nov  6 08:49:37 1994" has the month before the day, and no zone.
    if words.count == 5 {
      return date(year: words[4], month: words[1], day: words[2], time: words[3], now: now)
    }
    guard words[5] == "GMT" else { return nil }
    return date(year: words[3], month: words[2], day: words[1], time: words[4], now: now)
  }

  /// Returns a date in the preferred form: `Sun, 06 Nov 1994 08:49:37 GMT`.
  ///
  /// The form has four digits for the year: a date outside its range becomes the first or the last second
  /// of the range.
  static func text(of date: Date) -> String {
    let seconds = Int(
      min(max(-62_167_219_200, date.timeIntervalSince1970.rounded(.down)), 253_402_300_799))
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - day * 86_400
    let civil = civilDate(ofDay: day)
    // 1 January 1970 was a Thursday.
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((day % 7) + 7) % 7]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let year = two(civil.year / 100) + two(civil.year % 100)
    let time = "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))"
    return "\(weekday), \(two(civil.day)) \(months[civil.month - 1]) \(year) \(time) GMT"
  }

  /// Returns the date with these parts; `nil` if there is no such date.
  static func date<Text: StringProtocol>(
    year: Text, month: Text, day: Text, time: Text, now: Date
  ) -> Date? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { digits($0, 2) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2],
      hour < 24, minute < 60, second <= 60, let day = digits(day, day.count), 1...31 ~= day,
      let month = months.firstIndex(of: String(month)),
      let year = year.count == 4 ? digits(year, 4) : digits(year, 2).map({ full($0, now: now) })
    else { return nil }
    let days = daysFromCivil(year: year, month: month + 1, day: day)
    guard civilDate(ofDay: days).day == day else { return nil }
    return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
  }

  private static func digits(_ text: some StringProtocol, _ count: Int) -> Int? {
    guard text.count == count, (1...4).contains(count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Returns the latest year with these last two digits that is at most 50 years ahead (RFC 9110
  /// section 5.6.7).
  private static func full(_ twoDigits: Int, now: Date) -> Int {
    // A stored date may be out of range.
    let seconds = min(max(-62_167_219_200, now.timeIntervalSince1970), 253_402_300_799)
    let day = Int((seconds / 86_400).rounded(.down))
    let latest = civilDate(ofDay: day).year + 50
    return latest - (latest - twoDigits) % 100
  }

  /// Returns the number of days from 1 January 1970 to a Gregorian date.
  ///
  /// The calculation uses years that begin in March, so that the leap day is the last day of the year.
  private static func daysFromCivil(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civilDate(ofDay days: Int) -> (year: Int, month: Int, day: Int) {
    let days = days + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension HTTPDate {
  private static let shortDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let longDays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]

  /// Parses a text that has exactly one of the three forms of RFC 9110 section 5.6.7; returns `nil` for any
  /// other text.
  ///
  /// Unlike ``date(from:now:)``, it rejects missing commas and additional spaces; it only ignores case.
  /// Caches need it: a response with a malformed `Expires` has expired.
  static func strictDate(from text: some StringProtocol, now: Date = Date()) -> Date? {
    guard text.utf8.count <= 40 else { return nil }
    let parts = text.split(separator: " " as Character, omittingEmptySubsequences: false).map {
      String($0)
    }
    guard let day = parts.first?.lowercased() else { return nil }
    if shortDays.contains(day) {
      return asctimeDate(parts, now: now)
    } else if day.hasSuffix(","), shortDays.contains(String(day.dropLast())) {
      // "Sun, 06 Nov 1994 08:49:37 GMT"
      guard parts.count == 6, isZone(parts[5]) else { return nil }
      return date(parts[3], parts[2], parts[1], parts[4], yearDigits: 4, now: now)
    } else if day.hasSuffix(","), longDays.contains(String(day.dropLast())) {
      // "Sunday, 06-Nov-94 08:49:37 GMT"
      guard parts.count == 4, isZone(parts[3]) else { return nil }
      let civil = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        .map(String.init)
      guard civil.count == 3 else { return nil }
      return date(civil[2], civil[1], civil[0], parts[2], yearDigits: 2, now: now)
    }
    return nil
  }

  /// Parses "Sun Nov  6 08:49:37 1994"; a day of one digit is padded with a space.
  private static func asctimeDate(_ parts: [String], now: Date) -> Date? {
    if parts.count == 6, parts[2].isEmpty, parts[3].utf8.count == 1 {
      return date(parts[5], parts[1], "0" + parts[3], parts[4], yearDigits: 4, now: now)
    }
    guard parts.count == 5 else { return nil }
    return date(parts[4], parts[1], parts[2], parts[3], yearDigits: 4, now: now)
  }

  private static func isZone(_ text: String) -> Bool { text.lowercased() == "gmt" }

  private static func date(
    _ year: String, _ month: String, _ day: String, _ time: String, yearDigits: Int, now: Date
  ) -> Date? {
    guard year.utf8.count == yearDigits, day.utf8.count == 2 else { return nil }
    let name = month.prefix(1).uppercased() + month.dropFirst().lowercased()
    return date(year: year, month: name, day: day, time: time, now: now)
  }
}
