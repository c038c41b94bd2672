public import Foundation
public import HTTPTypes

/// How many requests a server still takes, and until when.
public struct RateLimit: Sendable, Hashable {
  /// How many requests it takes in a window, where it says so.
  public var limit: Int?
  /// How many are left.
  public var remaining: Int
  /// How long until there are more, where it says so.
  public var reset: Duration?

  /// Creates a limit.
  public init(limit: Int? = nil, remaining: Int, reset: Duration? = nil) {
    self.limit = limit
    self.remaining = remaining
    self.reset = reset
  }
}

extension HTTPFields {
  /// The rate limit that a server tells: with the IETF's `RateLimit` (draft 8 and later:
  /// `"default";r=50;t=30`; before: `limit=100, remaining=50, reset=30`), its three single fields, or
  /// `X-RateLimit-*` as GitHub has them; of several policies the tightest.
  public func rateLimit(now: Date) -> RateLimit? {
    structuredRateLimit ?? separateRateLimit(prefix: "RateLimit-", now: now)
      ?? separateRateLimit(prefix: "X-RateLimit-", now: now)
  }

  private var structuredRateLimit: RateLimit? {
    guard let name = HTTPField.Name("RateLimit") else { return nil }
    let policies = self[values: name].flatMap { value -> [RateLimit] in
      if value.lowercased().contains("remaining=") {
        return Self.policy(value, separator: ",").map { [$0] } ?? []
      }
      return value.split(separator: ",").compactMap { Self.policy($0, separator: ";") }
    }
    return policies.min { $0.remaining < $1.remaining }
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

  private func separateRateLimit(prefix: String, now: Date) -> RateLimit? {
    func value(_ name: String) -> Int? {
      HTTPField.Name(prefix + name).flatMap { self[$0] }.flatMap { Self.number($0) }
    }
    guard let remaining = value("Remaining") else { return nil }
    let reset = value("Reset").map { number -> Duration in
      // GitHub tells a moment, in seconds since 1970; others a time.
      let isMoment = number > 1_000_000_000
      return isMoment
        ? .seconds(Swift.max(0, Double(number) - now.timeIntervalSince1970)) : .seconds(number)
    }
    return RateLimit(limit: value("Limit"), remaining: remaining, reset: reset)
  }

  /// A whole number of at most twelve digits.
  private static func number(_ text: some StringProtocol) -> Int? {
    let text = text.trimmingCharacters(in: .whitespaces)
    guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }
}
