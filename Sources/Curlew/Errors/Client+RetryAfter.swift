// Re-exported, so that apps need not import other modules.
@_exported public import CurlewSupport
public import Foundation
@_exported public import HTTPTypes

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
