import Foundation
import HTTPTypes

/// The advice whether and when to retry a request after a response.
///
/// Retries, rate limits and errors all use this type.
enum RetryAdvice: Hashable {
  /// A retry would get the same response.
  case never
  /// The failure may be transient; `after` is the wait that the server requests, if any.
  case transient(after: Duration?)
  /// The server rejected the request because of too many requests; `after` is the wait that it requests, if
  /// any.
  case rateLimited(after: Duration?)

  /// The status codes of transient failures in RFC 9110, RFC 6585 and RFC 8470.
  static let transientStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  /// The wait that GitHub's documentation requires if a response contains none.
  ///
  /// <https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api>
  private static let fallback = Duration.seconds(60)

  /// Creates the advice for a response.
  ///
  /// - Parameters:
  ///   - response: The response's status and header fields.
  ///   - message: The error message in the response's body, if it is known: GitHub usually reports its
  ///     secondary limit only there.
  ///   - now: The current date, for dates in the header fields.
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
    // GitHub also sends 403 instead of 429.
    let isRefusal = status == 403 && requested == nil && usedUp == nil && !isSecondary
    let isGitHubs = status == 403 || isSecondary
    self = isRefusal ? .never : .rateLimited(after: requested ?? (isGitHubs ? Self.fallback : nil))
  }

  /// The wait that the server requests, if any.
  var after: Duration? {
    switch self {
    case .never: nil
    case .transient(let after), .rateLimited(let after): after
    }
  }

  /// Whether the server rejected the request because of too many requests.
  var isRateLimited: Bool {
    if case .rateLimited = self { return true }
    return false
  }
}
