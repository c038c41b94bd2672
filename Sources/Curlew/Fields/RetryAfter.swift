package import Foundation
package import HTTPTypes

extension HTTPFields {
  /// Returns the wait that a server requests (`Retry-After`, RFC 9110 section 10.2.3), as a number of
  /// seconds or a date; zero for a date in the past, `nil` if the field is missing or malformed.
  package func retryAfter(now: Date) -> Duration? {
    guard let text = self[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // At most a century, so that no clock overflows.
      return .seconds(Swift.min(Int(text) ?? .max, 3_155_760_000))
    }
    return HTTPDate.date(from: text, now: now).map { date in
      .seconds(Swift.max(0, date.timeIntervalSince(now)))
    }
  }
}
