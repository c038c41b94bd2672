/// An error that specifies how long to wait before a retry, for example after too many requests.
///
/// `Client.Error` conforms. Conform your own errors so that a screen whose load throws such an
/// error counts down and then retries:
///
/// ```swift
/// struct QuotaError: RetryAfterError {
///   let retryAfter: Duration?
/// }
/// ```
public protocol RetryAfterError: Error {
  /// The time to wait, measured from when the error was thrown; `nil` when it is unknown.
  var retryAfter: Duration? { get }
}
