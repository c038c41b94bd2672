import Application
package import CurlewLive
import Foundation

/// The footer that says how old is what a page shows; no screen reader announces it, because it is
/// no news.
package struct AgeView: TemplateValues {
  /// What comes before the age: `From `, `Offline: from `; alone where no age is known: `Offline`.
  let lead: String
  /// `3 minutes ago`.
  let time: String?
  /// The moment, in UTC (ISO 8601), so that the page counts on by itself.
  let date: String?
  /// Whether the servers are out of reach.
  let isOffline: Bool
  /// Whether there is nothing to say yet: the page shows it by itself when a minute has passed.
  let isNew: Bool

  package static let names: TemplateNames<Self> = [
    "lead": \.lead, "time": \.time, "date": \.date, "isOffline": \.isOffline,
  ]

  /// `From 3 minutes ago`, `Offline: from 3 minutes ago`; empty while there is nothing to say.
  var text: String { isNew ? "" : lead + (time ?? "") }

  /// Describes an age; `nil` when it is not known, unless the servers are out of reach.
  init?(asOf: Date?, isOffline: Bool, now: Date) {
    guard asOf != nil || isOffline else { return nil }
    let age = asOf?.age(at: now)
    self.isOffline = isOffline
    isNew = age == nil && !isOffline
    time = asOf == nil ? nil : age ?? "just now"
    date = asOf?.formatted(.iso8601)
    lead = isOffline ? asOf == nil ? "Offline" : "Offline: from " : "From "
  }
}
