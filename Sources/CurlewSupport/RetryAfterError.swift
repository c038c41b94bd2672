/// An error that knows how long to wait before trying again, as after too many requests.
///
/// `Client.Error` is one. Conform an error of your own, so that a screen whose load throws it counts
/// down and then tries again:
///
/// ```swift
/// struct QuotaError: RetryAfterError {
///   let retryAfter: Duration?
/// }
/// ```
public protocol RetryAfterError: Error {
  /// How long to wait, from when the error was thrown; `nil` where that is not known.
  var retryAfter: Duration? { get }
}
