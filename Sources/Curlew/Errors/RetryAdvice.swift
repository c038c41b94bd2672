import Foundation
import HTTPTypes

/// What a response means for sending its request again: the one rule that retries, rate limits and
/// errors ask.
enum RetryAdvice: Hashable {
  /// The same request would get the same response.
  case never
  /// The failure may pass; `after` is how long the server asks to wait, where it says so.
  case transient(after: Duration?)
  /// The server refuses because of too many requests; `after` is how long it asks to wait, where it
  /// says so.
  case rateLimited(after: Duration?)

  /// Statuses of failures that may pass, in RFC 9110, 6585 and 8470.
  static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// How long GitHub asks to wait where it doesn't say how long.
  ///
  /// <https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api>
  private static let untold = Duration.seconds(60)

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - response: Its status and header fields.
  ///   - message: What its body says went wrong, where that is known: GitHub names its secondary limit
  ///     there, and mostly nowhere else.
  ///   - now: The time of day, for dates in the header fields.
  init(_ response: HTTPResponse, message: String?, now: Date) {
    let (status, fields) = (response.status.code, response.headerFields)
    guard status == 429 || status == 403 else {
      let isTransient = Self.transientStatuses.contains(status)
      self = isTransient ? .transient(after: fields.retryAfter(now: now)) : .never
      return
    }
    let isSecondary = message?.lowercased().contains("secondary rate limit") ?? false
    let usedUp = fields.rateLimit(now: now).flatMap { $0.remaining == 0 ? $0 : nil }
    let requested = fields.retryAfter(now: now) ?? usedUp?.reset
    // 403 is GitHub's other way to say 429.
    let isRefusal = status == 403 && requested == nil && usedUp == nil && !isSecondary
    let isGitHubs = status == 403 || isSecondary
    self = isRefusal ? .never : .rateLimited(after: requested ?? (isGitHubs ? Self.untold : nil))
  }

  /// How long the server asks to wait, where it says so.
  var after: Duration? {
    switch self {
    case .never: nil
    case .transient(let after), .rateLimited(let after): after
    }
  }

  /// Whether the server refused because of too many requests.
  var isRateLimited: Bool {
    if case .rateLimited = self { return true }
    return false
  }
}
