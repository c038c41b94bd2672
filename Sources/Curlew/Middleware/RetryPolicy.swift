import Foundation
import HTTPTypes

/// When and how often requests are retried.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, the first included.
  ///
  /// Three by default: most transient failures have passed by then.
  public var attempts = 3
  /// The maximum wait before the first retry, doubled for each further retry.
  ///
  /// Half a second by default.
  public var baseDelay: Duration = .milliseconds(500)
  /// The maximum wait before a retry, unless the server requests a wait.
  ///
  /// Ten seconds by default.
  public var maximumDelay: Duration = .seconds(10)
  /// The maximum wait that a server may request (`Retry-After`, the reset of a rate limit).
  ///
  /// One minute by default: users don't wait longer. If the server requests a longer wait, the request
  /// fails at once.
  public var maximumRetryAfter: Duration = .seconds(60)
  /// The status codes that are retried; by default 408, 425, 429, 500, 502, 503 and 504.
  ///
  /// A 403 that means a rate limit counts as 429, and a status from 509 to 599 that is not registered, such as
  /// Cloudflare's 520, as 500 (RFC 9110 section 15).
  public var statuses: Set<Int> = RetryAdvice.transientStatuses
  /// The number of retries that each successful request adds to the budget.
  ///
  /// A tenth by default: a failing server gets at most a tenth more requests, not three times as many.
  let retriesPerSuccess = 0.1
  /// The number of retries in the budget at the start, and its maximum.
  ///
  /// Ten by default.
  public var retryBudget = 10.0
  /// Returns the fraction of the maximum wait, from 0 to 1, to wait; random by default (full jitter).
  public var random: @Sendable () -> Double = { .random(in: 0...1) }
  /// Returns the current date, for dates in `Retry-After`.
  var now: @Sendable () -> Date = { Date() }

  /// Creates the default policy.
  public init() {}

  /// Returns whether a status is retried.
  func retries(_ code: Int) -> Bool {
    statuses.contains(code) || RetryAdvice.isUnregisteredServerError(code) && statuses.contains(500)
  }

  /// Returns the wait before a retry, by its number from 1: exponential up to ``maximumDelay``, with full
  /// jitter.
  func wait(beforeRetry number: Int) -> Duration {
    backoff(beforeRetry: number) * min(max(random(), 0), 1)
  }

  /// Returns the wait that a response requests with `Retry-After`; for an unreadable value, a long backoff; `nil` if it
  /// requests none.
  func requestedWait(_ fields: HTTPFields) -> Duration? {
    if let wait = fields.retryAfter(now: now()) { return wait }
    // The sixth backoff is the longest, except for a `baseDelay` that is much shorter than `maximumDelay`.
    return fields.hasUnreadableRetryAfter(now: now())
      ? min(backoff(beforeRetry: 6), maximumRetryAfter) : nil
  }

  private func backoff(beforeRetry number: Int) -> Duration {
    min(baseDelay * (1 << min(number - 1, 20)), maximumDelay)
  }
}
