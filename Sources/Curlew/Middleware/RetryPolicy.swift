public import Foundation

/// When and how often a request is sent again.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, the first included.
  ///
  /// Three: of failures that pass, most have passed by then.
  public var attempts = 3
  /// The upper bound of the first wait; doubled for each further one.
  ///
  /// Half a second.
  public var firstWait: Duration = .milliseconds(500)
  /// The upper bound of a wait that the server did not ask for.
  ///
  /// Ten seconds.
  public var longestWait: Duration = .seconds(10)
  /// The longest wait that a server may ask for (`Retry-After`, the reset of a rate limit).
  ///
  /// One minute: nobody looks at a screen for longer; what is asked beyond that is an error at once.
  public var longestRetryAfter: Duration = .seconds(60)
  /// The status codes that are retried: 408, 425, 429, 500, 502, 503 and 504.
  ///
  /// A 403 that means a rate limit counts as 429.
  public var statuses: Set<Int> = RetryAdvice.transientStatuses
  /// How many retries there may be for each request that succeeds, over time.
  ///
  /// A tenth: a server that fails gets at most a tenth more requests, not three times as many.
  public var retriesPerRequest = 0.1
  /// How many retries the budget holds at the start, and at most.
  ///
  /// Ten.
  public var retryReserve = 10.0
  /// Chooses the part of a wait, from 0 to 1, that is really waited (full jitter).
  public var random: @Sendable () -> Double = { .random(in: 0...1) }
  /// Tells the time of day, for dates in `Retry-After`.
  public var now: @Sendable () -> Date = { Date() }

  /// Creates the policy that `.retrying()` has by default.
  public init() {}

  /// The longest wait before a retry, by its number from 1: exponential, bounded.
  func wait(beforeRetry number: Int) -> Duration {
    let doubled = firstWait * (1 << min(number - 1, 20))
    return min(doubled, longestWait)
  }
}
