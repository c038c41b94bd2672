import Application
package import CurlewLive
import Foundation

/// The footer with the age of a page's content; screen readers don't announce its changes.
package struct AgeView: TemplateValues {
  /// The text before the age: `From ` or `Offline: from `; only `Offline` if the age is unknown.
  let lead: String
  /// The age, such as `3 minutes ago`.
  let time: String?
  /// The date in UTC (ISO 8601), so that the page can update the age by itself.
  let date: String?
  /// Whether the servers are unreachable.
  let isOffline: Bool
  /// Whether the age is hidden: the page shows it by itself after a minute.
  let isNew: Bool

  package static let names: TemplateNames<Self> = [
    "lead": \.lead, "time": \.time, "date": \.date, "isOffline": \.isOffline,
  ]

  /// The text, such as `From 3 minutes ago` or `Offline: from 3 minutes ago`; empty while the age
  /// is hidden.
  var text: String { isNew ? "" : lead + (time ?? "") }

  /// Creates a footer; returns `nil` if the age is unknown, unless the servers are unreachable.
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
