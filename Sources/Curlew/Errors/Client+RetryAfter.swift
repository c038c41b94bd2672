// Re-exported, so that users need not import other modules.
@_exported public import CurlewSupport
public import Foundation
@_exported public import HTTPTypes

extension Client.Error: RetryAfterError {
  /// The time to wait before a retry may succeed, where it is known: until then the server accepts no
  /// requests, or the client sends it none.
  ///
  /// It counts from the failure, so read it when the error occurs; never negative.
  public var retryAfter: Duration? { retryAfter(now: Date()) }

  /// Returns the time to wait before a retry may succeed, where it is known.
  ///
  /// - Parameter now: The current date, for a server that sends a date.
  public func retryAfter(now: Date) -> Duration? {
    switch self {
    case .notSent(let failure): failure.reason == .notInCache ? nil : failure.retryAfter
    case .status(let failure): failure.retryAfter(now: now)
    default: nil
    }
  }
}

extension Client.StatusFailure {
  /// Returns the time that the server asks to wait, if any: after too many requests, as
  /// ``isRateLimited`` says, or after a transient failure (`Retry-After`, RFC 9110 section 10.2.3).
  ///
  /// - Parameter now: The current date, for a server that sends a date.
  package func retryAfter(now: Date) -> Duration? { retryAdvice(now: now).after }
}
