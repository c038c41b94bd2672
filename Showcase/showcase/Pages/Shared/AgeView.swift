import Application
import Foundation

/// The footer that says how old is what a page shows; no screen reader announces it, because it is
/// no news.
struct AgeView {
  /// What comes before the age: `From `, `Offline: from `; alone where no age is known: `Offline`.
  let lead: String
  /// `3 minutes ago`.
  let time: String?
  /// The moment, in UTC (ISO 8601), so that the page counts on by itself.
  let date: String?
  /// Whether the servers are out of reach.
  let isOffline: Bool

  /// `From 3 minutes ago`, `Offline: from 3 minutes ago`.
  var text: String { lead + (time ?? "") }

  /// Describes an age; `nil` below a minute or when it is not known, unless the servers are out of
  /// reach.
  init?(asOf: Date?, isOffline: Bool, now: Date) {
    let age = asOf?.age(at: now)
    guard age != nil || isOffline else { return nil }
    self.isOffline = isOffline
    time = asOf == nil ? nil : age ?? "just now"
    date = asOf?.formatted(.iso8601)
    lead = isOffline ? asOf == nil ? "Offline" : "Offline: from " : "From "
  }
}
