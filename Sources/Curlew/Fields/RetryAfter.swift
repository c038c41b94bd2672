import Foundation
import HTTPTypes

extension HTTPFields {
  /// The fields that request a wait, the most precise first, with the seconds that a plain number counts: OpenAI's and
  /// Azure's, then `Retry-After` (RFC 9110 section 10.2.3).
  private static let waits: [(name: HTTPField.Name, unit: Double)] = [
    (HTTPField.Name("retry-after-ms")!, 0.001), (HTTPField.Name("x-ms-retry-after-ms")!, 0.001),
    (.retryAfter, 1),
  ]

  /// Returns the wait that a server requests, as a number or a date; zero for a date in the past, `nil` if there is no
  /// readable value.
  func retryAfter(now: Date) -> Duration? {
    for (name, unit) in Self.waits {
      let waits = self[values: name].compactMap { FieldTime.wait($0, unit: unit, now: now) }
      if let longest = waits.max() { return longest }
    }
    return nil
  }

  /// Returns whether a server requests a wait, but the value is unreadable, such as `soon`.
  func hasUnreadableRetryAfter(now: Date) -> Bool {
    Self.waits.contains { self[values: $0.name].contains { !$0.allSatisfy(\.isWhitespace) } }
      && retryAfter(now: now) == nil
  }
}
