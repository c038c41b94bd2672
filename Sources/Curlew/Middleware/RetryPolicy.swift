public import Foundation

/// When and how often a request is sent again.
public struct RetryPolicy: Sendable {
  /// How often a request is sent in all.
  ///
  /// Three: of failures that pass, most have passed by then.
  public var attempts = 3
  /// The longest first wait; each later one may be twice as long.
  ///
  /// Half a second.
  public var firstWait: Duration = .milliseconds(500)
  /// The longest wait that is not the server's wish.
  ///
  /// Ten seconds.
  public var longestWait: Duration = .seconds(10)
  /// The longest wait that a server may ask for (`Retry-After`).
  ///
  /// One minute: nobody looks at a screen for longer; what is asked beyond that is an error at once.
  public var longestRetryAfter: Duration = .seconds(60)
  /// Statuses that may pass: 408, 425, 429, 500, 502, 503 and 504.
  public var statuses: Set<Int> = RetryAdvice.transientStatuses
  /// How many retries there may be for each request that succeeds, over time.
  ///
  /// A tenth: in an outage a server gets a tenth more requests, not three times as many.
  public var retriesPerRequest = 0.1
  /// How many retries may come at once before that counts.
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
