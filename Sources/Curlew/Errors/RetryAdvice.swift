public import Foundation
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

  /// The wait after a 403 that means a rate limit, if the response contains none: what GitHub's documentation requires.
  ///
  /// <https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api>
  private static let fallback = Duration.seconds(60)

  /// Returns whether a status is a server error that is not registered, such as Cloudflare's 520, which counts as 500
  /// (RFC 9110 section 15).
  static func isUnregisteredServerError(_ code: Int) -> Bool {
    code == 509 || 512...599 ~= code
  }

  /// Creates the advice for a response.
  ///
  /// - Parameters:
  ///   - response: The response's status and header fields.
  ///   - body: The response's body, if it is known: APIs that refuse with 403 usually report a rate limit
  ///     only there.
  ///   - now: The current date, for dates in the header fields.
  init(_ response: HTTPResponse, body: Data?, now: Date) {
    let (status, fields) = (response.status.code, response.headerFields)
    guard status == 429 || status == 403 else {
      let isTransient =
        Self.transientStatuses.contains(status) || Self.isUnregisteredServerError(status)
      self = isTransient ? .transient(after: fields.retryAfter(now: now)) : .never
      return
    }
    let usedUp = fields.rateLimit(now: now).flatMap { $0.remaining == 0 ? $0 : nil }
    let requested = fields.retryAfter(now: now) ?? usedUp?.reset
    if let requested {
      self = .rateLimited(after: requested)
    } else if status == 403 {
      // GitHub and others also send 403 instead of 429.
      let isLimit =
        usedUp != nil || fields.hasUnreadableRetryAfter(now: now)
        || RateLimitReason.isReason(of: response, body ?? Data())
      self = isLimit ? .rateLimited(after: Self.fallback) : .never
    } else {
      self = .rateLimited(
        after: body.map { RateLimitReason.isGitHubs($0) } ?? false ? Self.fallback : nil)
    }
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

extension Client.Error: RetryAfterError {
  /// The time to wait before a retry may succeed, if it is known: until then, the server rejects requests, or
  /// the client does not send them.
  ///
  /// It counts from the failure, so read it when the error occurs. It is never negative.
  public var retryAfter: Duration? { retryAfter(now: Date()) }

  /// Returns the time to wait before a retry may succeed; `nil` if it is unknown.
  ///
  /// - Parameter now: The current date, for servers that send a date.
  public func retryAfter(now: Date) -> Duration? {
    switch self {
    case .notSent(let failure): failure.reason == .notInCache ? nil : failure.retryAfter
    case .status(let failure): failure.retryAfter(now: now)
    default: nil
    }
  }
}

extension Client.StatusFailure {
  /// Returns the wait that the server requests, if any: after too many requests (``isRateLimited``), or
  /// after a transient failure (`Retry-After`, RFC 9110 section 10.2.3).
  ///
  /// - Parameter now: The current date, for servers that send a date.
  func retryAfter(now: Date) -> Duration? { retryAdvice(now: now).after }
}
