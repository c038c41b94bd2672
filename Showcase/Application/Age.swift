public import Foundation

extension Date {
  /// Returns the age in the largest whole unit of time, such as `3 minutes ago`; `nil` below a
  /// minute.
  public func age(at now: Date) -> String? {
    let seconds = now.timeIntervalSince(self)
    let minute = 60.0
    let (hour, day) = (60 * minute, 24 * 60 * minute)
    let units = [
      (365 * day, "year"), (30 * day, "month"), (7 * day, "week"), (day, "day"), (hour, "hour"),
      (minute, "minute"),
    ]
    guard let (length, name) = units.first(where: { seconds >= $0.0 }) else { return nil }
    let count = Int(min(seconds / length, 1e6))
    return count == 1 ? "1 \(name) ago" : "\(count) \(name)s ago"
  }
}
