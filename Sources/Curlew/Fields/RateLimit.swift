package import Foundation
package import HTTPTypes

/// A server's rate limit: the number of remaining requests, and the time until it resets.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests in a window, if the server reports it.
  public var limit: Int?
  /// The number of remaining requests.
  public var remaining: Int
  /// The time until the limit resets, if the server reports it.
  public var reset: Duration?

  /// Creates a limit.
  package init(limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }
}

extension HTTPFields {
  /// Returns the rate limit that a server reports; of several policies, the policy with the fewest
  /// remaining requests.
  ///
  /// It parses the IETF's `RateLimit` field (draft 8 and later: `"default";r=50;t=30`; earlier drafts:
  /// `limit=100, remaining=50, reset=30`), the IETF's three separate fields, or GitHub's `X-RateLimit-*`
  /// fields.
  package func rateLimit(now: Date) -> RateLimit? {
    // One pass over the fields: a lookup by name builds an index of all of them.
    var (policies, standard, usual) = ([RateLimit](), SeparateFields(), SeparateFields())
    for field in self {
      let name = field.name.canonicalName
      // `hasPrefix` costs more than the rest of the loop.
      guard let first = name.utf8.first, first == UInt8(ascii: "x") || first == UInt8(ascii: "r")
      else { continue }
      if name.hasPrefix("x-ratelimit-") {
        usual.take(field, .xRateLimitNames)
      } else if name.hasPrefix("ratelimit-") {
        standard.take(field, .rateLimitNames)
      } else if name == "ratelimit" {
        policies += Self.policies(field.value)
      }
    }
    return policies.min { $0.remaining < $1.remaining } ?? standard.limit(now: now)
      ?? usual.limit(now: now)
  }

  private static func policies(_ value: String) -> [RateLimit] {
    if value.lowercased().contains("remaining=") {
      return policy(value, separator: ",").map { [$0] } ?? []
    }
    return value.split(separator: ",").compactMap { policy($0, separator: ";") }
  }

  private static func policy(_ text: some StringProtocol, separator: Character) -> RateLimit? {
    var limit = RateLimit(remaining: -1)
    for item in text.split(separator: separator) {
      let parts = item.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard parts.count == 2, let number = number(parts[1]) else { continue }
      switch parts[0].lowercased() {
      case "r", "remaining": limit.remaining = number
      case "t", "reset": limit.reset = .seconds(number)
      case "q", "limit": limit.limit = number
      default: break
      }
    }
    return limit.remaining < 0 ? nil : limit
  }

  /// Parses a whole number of at most twelve digits.
  fileprivate static func number(_ text: some StringProtocol) -> Int? {
    var (number, digits, hasEnded) = (0, 0, false)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): hasEnded = digits > 0
      case 0x30...0x39 where !hasEnded && digits < 12:
        number = number * 10 + Int(byte - 0x30)
        digits += 1
      default: return nil
      }
    }
    return digits > 0 ? number : nil
  }
}

/// A rate limit in three separate fields.
private struct SeparateFields {
  struct Names {
    let limit: HTTPField.Name?
    let remaining: HTTPField.Name?
    let reset: HTTPField.Name?

    init(prefix: String) {
      limit = HTTPField.Name(prefix + "Limit")
      remaining = HTTPField.Name(prefix + "Remaining")
      reset = HTTPField.Name(prefix + "Reset")
    }

    static let rateLimitNames = Names(prefix: "RateLimit-")
    static let xRateLimitNames = Names(prefix: "X-RateLimit-")
  }

  private var limit: Int?
  private var remaining: Int?
  private var reset: Int?

  /// Parses a field if it is one of the three fields; of repeated fields, only the first counts.
  mutating func take(_ field: HTTPField, _ names: Names) {
    switch field.name {
    case names.limit: limit = limit ?? HTTPFields.number(field.value)
    case names.remaining: remaining = remaining ?? HTTPFields.number(field.value)
    case names.reset: reset = reset ?? HTTPFields.number(field.value)
    default: break
    }
  }

  func limit(now: Date) -> RateLimit? {
    guard let remaining else { return nil }
    let reset = reset.map { number -> Duration in
      // GitHub sends a date, in seconds since 1970; others send a duration.
      let isDate = number > 1_000_000_000
      return isDate
        ? .seconds(max(0, Double(number) - now.timeIntervalSince1970)) : .seconds(number)
    }
    return RateLimit(limit: limit, remaining: remaining, reset: reset)
  }
}
