import Foundation

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
