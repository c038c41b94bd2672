import Application
import Foundation

/// The footer that says how old is what a page shows; no screen reader announces it, because it is
/// no news.
struct AgeView {
  /// `From 3 minutes ago`, `Offline: from 3 minutes ago`.
  let text: String
  /// Whether the servers are out of reach.
  let isOffline: Bool

  /// Describes an age; `nil` below a minute or when it is not known, unless the servers are out of
  /// reach.
  init?(asOf: Date?, isOffline: Bool, now: Date) {
    let age = asOf?.age(at: now)
    self.isOffline = isOffline
    switch (age, isOffline) {
    case (nil, false): return nil
    case (let age?, false): text = "From \(age)"
    case (nil, true): text = asOf == nil ? "Offline" : "Offline: from just now"
    case (let age?, true): text = "Offline: from \(age)"
    }
  }
}
