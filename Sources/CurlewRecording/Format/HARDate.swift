import Curlew
import Foundation

/// Formats and parses the dates of HAR files: ISO 8601 with milliseconds and a time zone.
enum HARDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Returns a date as text, in UTC.
  ///
  /// The form has four digits for the year: a date outside its range becomes the first or the last one that
  /// it can express.
  static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { return text(of: Date(timeIntervalSince1970: 0)) }
    let milliseconds = (min(max(-62_135_596_800, seconds), 253_402_300_799) * 1_000).rounded()
    // The format cuts off: half a millisecond more than what is meant.
    return style.format(Date(timeIntervalSince1970: (milliseconds + 0.5) / 1_000))
  }

  /// Returns the date in a text, with or without a fraction of a second; `nil` if it is none.
  static func date(from text: String) -> Date? {
    (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}
