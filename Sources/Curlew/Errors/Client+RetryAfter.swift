// Re-exported, so that nobody imports a third module.
@_exported public import CurlewSupport
public import Foundation
import HTTPTypes

extension Client.Error: RetryAfterError {
  /// How long to wait before the same request may succeed, where that is known: the server, or the
  /// client on its behalf, takes no requests for so long.
  ///
  /// It counts from the failure, so read it when the error comes; never negative.
  public var retryAfter: Duration? { retryAfter(now: Date()) }

  /// How long to wait before the same request may succeed, where that is known.
  ///
  /// - Parameter now: The time of day, for a server that tells a date.
  public func retryAfter(now: Date) -> Duration? {
    switch self {
    case .notSent(let failure): failure.retryAfter
    case .status(let failure): failure.retryAfter(now: now)
    default: nil
    }
  }
}

extension Client.StatusFailure {
  /// How long the server asks to wait, where it says so: refusing because of too many requests, as
  /// ``isRateLimited`` tells, or with a failure that may pass (`Retry-After`, RFC 9110 section 10.2.3).
  ///
  /// - Parameter now: The time of day, for a server that tells a date.
  public func retryAfter(now: Date) -> Duration? { retryAdvice(now: now).after }
}
