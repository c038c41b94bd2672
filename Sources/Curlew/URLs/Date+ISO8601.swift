import Foundation

extension Date {
  /// The date as in ISO 8601, in UTC and whole seconds: `2026-11-22T17:05:00Z`; `nil`
  /// outside the years 1 to 9999, which have no such form.
  var iso8601Text: String? {
    let seconds = timeIntervalSince1970
    guard -62_135_596_800..<253_402_300_800 ~= seconds else { return nil }
    // Not with Foundation's calendar, which is Julian before 1582; ISO 8601 is Gregorian
    // throughout. The days since 1 March of the year 0: then a leap day is the last of its year.
    let whole = Int(seconds.rounded(.down)) + 719_468 * 86_400
    let (days, time) = (whole / 86_400, whole % 86_400)
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
    return padded(year, 4) + "-" + padded(month < 10 ? month + 3 : month - 9) + "-" + padded(day)
      + "T" + padded(time / 3_600) + ":" + padded(time / 60 % 60) + ":" + padded(time % 60) + "Z"
  }

  private func padded(_ number: Int, _ digits: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: digits - text.count) + text
  }
}
