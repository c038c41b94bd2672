import Foundation

/// Parses the waits and reset times in header fields, in the spellings of many servers.
enum FieldTime {
  /// The units of numbers, in seconds.
  private static let units: [String: Double] = [
    "ms": 0.001, "msec": 0.001, "millisecond": 0.001, "milliseconds": 0.001,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60,
    "minute": 60, "minutes": 60,
    "h": 3_600, "hour": 3_600, "hours": 3_600, "d": 86_400, "day": 86_400, "days": 86_400,
  ]

  /// Returns the wait that a value requests; `nil` if it is unreadable, zero for a date in the past.
  ///
  /// It parses numbers with a fraction and units (`2`, `2.5`, `2s`, `1m30s`), numbers of seconds or milliseconds since
  /// 1970, HTTP dates and ISO 8601 dates.
  ///
  /// - Parameters:
  ///   - text: The value; equal members of a list count once, because proxies join repeated fields.
  ///   - unit: The number of seconds that a number without a unit counts.
  ///   - now: The current date.
  static func wait(_ text: String, unit: Double = 1, now: Date) -> Duration? {
    let members = Set(text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    let wait: Double
    if members.count == 1, let seconds = members.first.flatMap({ seconds($0, unit: unit) }) {
      // Seconds up to the year 5138, or milliseconds since 1973.
      let date = seconds < 100_000_000_000 ? seconds : seconds / 1_000
      wait = seconds > 1_000_000_000 ? date - now.timeIntervalSince1970 : seconds
    } else {
      guard let date = date(text.trimmingCharacters(in: .whitespaces), now: now) else { return nil }
      wait = date.timeIntervalSince(now)
    }
    // At most a century, so that no clock overflows.
    return .seconds(min(max(0, wait), 3_155_760_000))
  }

  /// Returns the seconds in `2`, `2.5`, `2s` or, as Go prints durations, `1m30.5s`.
  private static func seconds(_ text: String, unit: Double) -> Double? {
    var reader = FieldReader(text)
    _ = reader.take("+")
    var total: Double?
    while !reader.isAtEnd {
      guard let number = reader.decimal() else { return nil }
      reader.skipSpaces()
      let name = reader.text { (0x61...0x7A).contains($0 | 0x20) }.lowercased()
      guard let factor = name.isEmpty && total == nil ? unit : units[name] else { return nil }
      total = (total ?? 0) + number * factor
      reader.skipSpaces()
    }
    return total
  }

  /// Parses an HTTP date (RFC 9110 section 5.6.7) or an ISO 8601 date, in any time zone that is a number or a name of
  /// GMT; without a zone, it is in GMT.
  private static func date(_ text: String, now: Date) -> Date? {
    guard text.utf8.count <= 64 else { return nil }
    let isISO = text.dropFirst(4).first == "-"
    let text = isISO ? "\(text.prefix(10)) \(text.dropFirst(11))" : text
    let words = text.split { " ,".contains($0) }
    guard let clock = words.firstIndex(where: { $0.contains(":") }) else { return nil }
    let (time, afterTime) = (words[clock].prefix(8), words[clock].dropFirst(8))
    let fraction = afterTime.first == "." ? afterTime.dropFirst().prefix { $0.isNumber } : ""
    var zone = afterTime.dropFirst(fraction.isEmpty ? 0 : fraction.count + 1) + ""
    var civil = words[..<clock].flatMap { $0.split(separator: "-") }
    if civil.count == 4 { civil.removeFirst() }
    guard civil.count == 3 else { return nil }
    var rest = words[(clock + 1)...]
    if isISO {
      guard let month = Int(civil[1]), 1...12 ~= month else { return nil }
      civil = [civil[2], HTTPDate.months[month - 1][...], civil[0]]
    } else if civil[0].first?.isLetter == true {
      // "Fri Jan 15 08:01:30 2027" has the month before the day, and the year at the end.
      guard let year = rest.popLast() else { return nil }
      civil = [civil[2], civil[1], year]
    }
    zone += rest.joined()
    guard let offset = offset(zone.lowercased()) else { return nil }
    let month = civil[1].prefix(3).capitalized
    return HTTPDate.date(year: civil[2], month: month[...], day: civil[0], time: time, now: now)?
      .addingTimeInterval(-offset)
  }

  /// Returns the seconds that a zone is ahead of GMT: `gmt`, `utc`, `z`, `+00:00`, `-0700`.
  private static func offset(_ zone: String) -> Double? {
    let name = ["gmt", "utc", "ut", "z"].first { zone.hasPrefix($0) } ?? ""
    let digits = zone.dropFirst(name.count).filter { $0 != ":" }
    if digits.isEmpty { return 0 }
    guard digits.utf8.count == 5, let number = Int(digits), "+-".contains(digits.prefix(1)) else {
      return nil
    }
    return Double(number / 100 * 3_600 + number % 100 * 60)
  }
}

extension FieldReader {
  /// Reads a number with an optional fraction; returns `nil` if there are no digits.
  mutating func decimal() -> Double? {
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let digits = text(while: isDigit)
    guard !digits.isEmpty else { return nil }
    guard take(".") else { return Double(digits) }
    let fraction = text(while: isDigit)
    return fraction.isEmpty ? nil : Double("\(digits).\(fraction)")
  }
}
