import Foundation
import HTTPTypes

/// A server's rate limit: the number of remaining requests, and the time until it resets.
public struct RateLimit: Sendable, Hashable {
  /// The number of requests in a window, if the server reports it.
  public var limit: Int?
  /// The number of remaining requests.
  public var remaining: Int
  /// The time until the limit resets, if the server reports it.
  public var reset: Duration?

  /// Creates a limit.
  init(limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
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
  /// `limit=100, remaining=50, reset=30`), the IETF's three separate fields, or the fields that GitHub and others
  /// name `X-RateLimit-*` or `X-Rate-Limit-*`.
  func rateLimit(now: Date) -> RateLimit? {
    // One pass over the fields: a lookup by name builds an index of all of them.
    var (policies, standard, usual) = ([RateLimit](), SeparateFields(), SeparateFields())
    for field in self {
      let name = field.name.canonicalName
      // `hasPrefix` costs more than the rest of the loop.
      guard let first = name.utf8.first, first == UInt8(ascii: "x") || first == UInt8(ascii: "r")
      else { continue }
      if name.hasPrefix("x-ratelimit-") {
        usual.take(name.dropFirst(12), field.value, now)
      } else if name.hasPrefix("x-rate-limit-") {
        usual.take(name.dropFirst(13), field.value, now)
      } else if name.hasPrefix("ratelimit-") {
        standard.take(name.dropFirst(10), field.value, now)
      } else if name == "ratelimit" {
        policies += Self.policies(field.value)
      }
    }
    return policies.min { $0.remaining < $1.remaining } ?? standard.rateLimit ?? usual.rateLimit
  }

  private static func policies(_ value: String) -> [RateLimit] {
    if let list = StructuredField.list(value) {
      return list.compactMap {
        policy(remaining: $0.parameters["r"], reset: $0.parameters["t"], limit: nil)
      }
    }
    guard let old = StructuredField.dictionary(value) else { return [] }
    return policy(
      remaining: old["remaining"]?.number, reset: old["reset"]?.number, limit: old["limit"]?.number
    )
    .map { [$0] } ?? []
  }

  private static func policy(remaining: Double??, reset: Double??, limit: Double?) -> RateLimit? {
    guard let remaining = remaining ?? nil, remaining >= 0 else { return nil }
    return RateLimit(
      limit: limit.map { Int($0) }, remaining: Int(remaining),
      // At most a century, so that no clock overflows.
      reset: (reset ?? nil).map { .seconds(Swift.min(Swift.max(0, $0), 3_155_760_000)) })
  }
}

/// A rate limit in separate fields.
private struct SeparateFields {
  private var limit: Int?
  private var remaining: Int?
  private var reset: Duration?
  private var resetAfter: Duration?

  /// Parses a field by the end of its name, in lowercase; of repeated fields, only the first counts.
  mutating func take(_ name: Substring, _ value: String, _ now: Date) {
    switch name {
    // Of several windows, the first: `100, 100;w=60` in the IETF's draft 3.
    case "limit": limit = limit ?? Self.counts(value).first
    case "remaining": remaining = remaining ?? Self.counts(value).min()
    // GitHub sends a date, in seconds since 1970; others send a wait.
    case "reset": reset = reset ?? FieldTime.wait(value, now: now)
    // Discord sends both.
    case "reset-after": resetAfter = resetAfter ?? FieldTime.wait(value, now: now)
    default: break
    }
  }

  var rateLimit: RateLimit? {
    remaining.map { RateLimit(limit: limit, remaining: $0, reset: resetAfter ?? reset) }
  }

  /// Returns the numbers of at most twelve digits in `60`, `60.0`, `76;w=21600` or `5, 100`, rounded down; an empty
  /// list if one of them is unreadable.
  private static func counts(_ value: String) -> [Int] {
    var counts: [Int] = []
    for member in value.split(separator: ",") {
      var reader = FieldReader(member)
      reader.skipSpaces()
      guard let number = reader.decimal(), number < 1_000_000_000_000 else { return [] }
      reader.skipSpaces()
      guard reader.isAtEnd || reader.next == UInt8(ascii: ";") else { return [] }
      counts.append(Int(number))
    }
    return counts
  }
}

extension HTTPFields {
  /// The fields that request a wait, the most precise first, with the seconds that a plain number counts: OpenAI's and
  /// Azure's, then `Retry-After` (RFC 9110 section 10.2.3).
  private static let retryAfterFields: [(name: HTTPField.Name, unit: Double)] = [
    (HTTPField.Name("retry-after-ms")!, 0.001), (HTTPField.Name("x-ms-retry-after-ms")!, 0.001),
    (.retryAfter, 1),
  ]

  /// Returns the wait that a server requests, as a number or a date; zero for a date in the past, `nil` if there is no
  /// readable value.
  func retryAfter(now: Date) -> Duration? {
    for (name, unit) in Self.retryAfterFields {
      let waits = self[values: name].compactMap { FieldTime.wait($0, unit: unit, now: now) }
      if let longest = waits.max() { return longest }
    }
    return nil
  }

  /// Returns whether a server requests a wait, but the value is unreadable, such as `soon`.
  func hasUnreadableRetryAfter(now: Date) -> Bool {
    Self.retryAfterFields.contains {
      self[values: $0.name].contains { !$0.allSatisfy(\.isWhitespace) }
    }
      && retryAfter(now: now) == nil
  }
}
