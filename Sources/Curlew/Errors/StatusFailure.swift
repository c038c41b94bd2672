public import Foundation
public import HTTPTypes

extension Client {
  /// A failure because the endpoint does not accept the response's status.
  public struct StatusFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    let request: String
    /// The response's status and header fields; secret values are masked.
    public let response: HTTPResponse
    /// The first 64 KiB of the response's body, without secrets.
    public let body: Data
    /// The API's own error message, if the body contains a message.
    public let message: String?
    /// The body, decoded as the error type of the endpoint or of its client.
    let value: Uncompared

    /// Returns the body, decoded as the error type of the endpoint (``Request/errorBody(_:)``) or of its
    /// client; `nil` if the error type is not `Body`, or the body could not be decoded.
    ///
    /// ```swift
    /// } catch .status(let failure) {
    ///   show(failure.body(as: ValidationErrors.self)?.fields ?? [])
    /// }
    /// ```
    public func body<Body>(as type: Body.Type) -> Body? { value.base as? Body }

    /// A value that the equality and the hash of failures ignore.
    struct Uncompared: Sendable, Hashable {
      let base: (any Sendable)?

      static func == (one: Self, other: Self) -> Bool { true }

      func hash(into hasher: inout Hasher) {}
    }
  }
}

extension Client.StatusFailure {
  /// Whether the server rejected the request because of too many requests: with 429, or, like GitHub, with
  /// 403 and `Retry-After`, an exhausted limit (`HTTPTypes.HTTPFields.rateLimit(now:)`) or a reason in the
  /// body, such as GitHub's message about its secondary limit or Google's `rateLimitExceeded`.
  public var isRateLimited: Bool { retryAdvice(now: Date()).isRateLimited }

  func retryAdvice(now: Date) -> RetryAdvice {
    RetryAdvice(response, body: body, now: now)
  }
}
