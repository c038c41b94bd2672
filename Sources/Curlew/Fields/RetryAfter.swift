public import Foundation
public import HTTPTypes

extension HTTPFields {
  /// How long a server asks to be left alone (`Retry-After`, RFC 9110 section 10.2.3): seconds, or
  /// until a date; zero for a date that has passed, `nil` for none and for nonsense.
  public func retryAfter(now: Date) -> Duration? {
    guard let text = self[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // A century is more than enough, and no clock overflows.
      return .seconds(Swift.min(Int(text) ?? .max, 3_155_760_000))
    }
    return HTTPDate.date(from: text, now: now).map { date in
      .seconds(Swift.max(0, date.timeIntervalSince(now)))
    }
  }
}
