import Curlew
import Foundation

/// Formats and parses the dates of HAR files: ISO 8601 with milliseconds and a time zone.
enum HARDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// Returns a date as text, in UTC.
  ///
  /// The format has four-digit years. A date outside its range is clamped to the first or last representable date.
  static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    guard seconds.isFinite else { return text(of: Date(timeIntervalSince1970: 0)) }
    let milliseconds = (min(max(-62_135_596_800, seconds), 253_402_300_799) * 1_000).rounded()
    // The format truncates milliseconds; adding half of one avoids rounding errors.
    return style.format(Date(timeIntervalSince1970: (milliseconds + 0.5) / 1_000))
  }

  /// Parses a date, with or without fractional seconds; returns `nil` if the text is not a date.
  static func date(from text: String) -> Date? {
    (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}
