import Foundation
public import HTTPTypes

extension Client {
  /// The reason why a request returned no value.
  ///
  /// It has two texts. ``errorDescription``, which `localizedDescription` returns, is for users: it
  /// contains no server name, path or type, and no text from the server. ``description`` is for the log: it
  /// contains the request and all details. Neither contains secrets.
  @nonexhaustive public enum Error: Swift.Error, Sendable {
    /// The server was not reached, or did not send a complete and valid HTTP response.
    case transport(TransportFailure)
    /// A time limit passed.
    case timeout(TimeoutFailure)
    /// The endpoint does not accept the response's status; by default, endpoints accept 200 to 299.
    case status(StatusFailure)
    /// The response could not be decoded as the endpoint's type.
    case decoding(DecodingFailure)
    /// The request's body could not be encoded.
    case encoding(RequestFailure)
    /// The file of an upload could not be read, or the file of a download could not be written.
    case file(FileFailure)
    /// The request is invalid, so it can't be sent.
    case invalidRequest(RequestFailure)
    /// The response's body or header, or a part of a stream, exceeds its size limit.
    case tooLarge(TooLargeFailure)
    /// A redirect could not or must not be followed.
    case redirect(RedirectFailure)
    /// The request was not sent, because of the server's rate limit or an open circuit breaker.
    case notSent(NotSentFailure)
    /// The task was cancelled, which is not a failure to show to a user.
    case cancelled
  }
}

extension Client.Error {
  /// The failed request's method and URL, without secrets; `nil` for ``cancelled``.
  public var request: String? {
    switch self {
    case .transport(let failure): failure.request
    case .timeout(let failure): failure.request
    case .status(let failure): failure.request
    case .decoding(let failure): failure.request
    case .encoding(let failure): failure.request
    case .file(let failure): failure.request
    case .invalidRequest(let failure): failure.request
    case .tooLarge(let failure): failure.request
    case .redirect(let failure): failure.request
    case .notSent(let failure): failure.request
    case .cancelled: nil
    }
  }

  /// Whether the same request may succeed when it is retried.
  public var isRetryable: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout, .notSent: true
    case .status(let failure): failure.retryAdvice(now: Date()) != .never
    case .decoding, .encoding, .file, .invalidRequest, .tooLarge, .redirect, .cancelled: false
    }
  }

  /// The response's status for ``status(_:)``; `nil` for other errors.
  public var status: HTTPResponse.Status? {
    guard case .status(let failure) = self else { return nil }
    return failure.response.status
  }
}
