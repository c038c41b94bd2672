public import Foundation
public import HTTPTypes

extension Client {
  /// The reason why a request returned no value.
  ///
  /// It has two texts. ``errorDescription``, which `localizedDescription` returns, is for users: it
  /// names no server, path or type, and quotes nothing that a server sent. ``description`` is for
  /// the log: the request, and all that is known. Neither contains secrets.
  public enum Error: Swift.Error, Sendable {
    /// The server was not reached, or sent no complete and valid HTTP response.
    case transport(TransportFailure)
    /// A time limit passed.
    case timeout(TimeoutFailure)
    /// The endpoint does not accept the response's status; by default it accepts 200 to 299.
    case status(StatusFailure)
    /// The response could not be decoded as the endpoint's type.
    case decoding(DecodingFailure)
    /// The request's body could not be encoded.
    case encoding(EncodingFailure)
    /// A file could not be read or written: that of an upload, or of a download.
    case file(FileFailure)
    /// The request can't be sent as it is.
    case invalidRequest(InvalidRequestFailure)
    /// The response's body or header, or a part of a stream, exceeds its size limit.
    case tooLarge(TooLargeFailure)
    /// A redirect could not or must not be followed.
    case redirect(RedirectFailure)
    /// The request was not sent, because of the server's rate limit or an open circuit breaker.
    case notSent(NotSentFailure)
    /// The task was cancelled, which is not a failure to show to a user.
    case cancelled
  }

  /// A failure to reach the server, or to receive a complete and valid HTTP response.
  public struct TransportFailure: Sendable, Hashable {
    /// The kinds of transport failures.
    public enum Kind: Sendable, Hashable, CaseIterable {
      /// The host name could not be resolved to an address.
      case nameNotResolved
      /// There is no network, no route to the host, or no response from its address.
      case unreachable
      /// The host refused the connection: nothing listens on the port.
      case refused
      /// The connection was reset or closed before the response was complete.
      case lost
      /// A certificate was rejected: the server's, because of its issuer, its name or its pinned key,
      /// or the client's.
      case untrusted
      /// The TLS handshake failed for another reason: no common version, or the port does not speak
      /// TLS.
      case tls
      /// The response is not valid HTTP: a malformed head or chunk, or TLS on a port for plain HTTP.
      case protocolError
      /// The response's content coding is damaged, cut off or not supported.
      case contentCoding
      /// The body does not match the digest in its header fields (RFC 9530).
      case digest
      /// Another failure, or one that the transport can't classify.
      case other
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The kind of failure.
    public let kind: Kind
    /// The transport's description of the failure, without secrets.
    public let reason: String
  }

  /// A failure because a time limit passed.
  public struct TimeoutFailure: Sendable, Hashable {
    /// The time limits of ``Limits``.
    public enum Limit: String, Sendable {
      /// ``Limits/connect``.
      case connect
      /// ``Limits/firstByte``.
      case firstByte
      /// ``Limits/idle``.
      case idle
      /// ``Limits/total``.
      case total
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The limit that passed.
    public let limit: Limit
    /// The limit's value.
    public let duration: Duration
    /// Whether the server took no more of the request's body, whether or not it had responded.
    public let isSending: Bool
  }

  /// A failure because the endpoint does not accept the response's status.
  public struct StatusFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    public let request: String
    /// The response's status and header fields; secret values are masked.
    public let response: HTTPResponse
    /// The first 64 KiB of the response's body, without secrets.
    public let body: Data
    /// The API's own error message, where the body contains one.
    public let message: String?
    /// The body, decoded as the error type of the endpoint or of its client.
    let value: (any Sendable)?

    /// Returns the body, decoded as the error type of the endpoint (``Endpoint/errorBody``) or of its
    /// client; `nil` if that is another type, or the body could not be decoded.
    ///
    /// ```swift
    /// } catch .status(let failure) {
    ///   show(failure.body(as: ValidationErrors.self)?.fields ?? [])
    /// }
    /// ```
    public func body<Body>(as type: Body.Type) -> Body? { value as? Body }

    /// Whether two failures are equal; the value that was decoded from the body is not compared.
    public static func == (one: Self, other: Self) -> Bool {
      one.request == other.request && one.response == other.response && one.body == other.body
        && one.message == other.message
    }

    /// Hashes the request, the response and the body.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(request)
      hasher.combine(response)
      hasher.combine(body)
    }
  }

  /// A failure to decode a response.
  public struct DecodingFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    public let request: String
    /// The name of the endpoint's response type.
    public let type: String
    /// The coding path in the JSON, such as `[3].user.login`; empty at the top level.
    public let codingPath: String
    /// What was expected and what was found.
    public let reason: String
    /// The JSON at the coding path, or the text around the fault where it is not JSON: at most 160 characters.
    public let excerpt: String
    /// In what way the response is not what was expected.
    let kind: Kind
    /// The number of the line in a response in JSON Lines, from 1; `nil` for any other response.
    public internal(set) var line: Int?

    enum Kind: Sendable, Hashable {
      /// JSON of another type, or what a decoding of one's own rejects.
      case unexpected
      /// A text that is not JSON.
      case malformed
      /// A web page instead of JSON.
      case webPage
    }

    /// Whether a web page came instead of JSON, as from a network that wants its user to sign in.
    public var isWebPage: Bool { kind == .webPage }
  }

  /// A failure to encode a request's body.
  public struct EncodingFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    public let request: String
    /// The encoder's description of the failure.
    public let reason: String
  }

  /// A failure to read the file of an upload, or to write that of a download.
  public struct FileFailure: Sendable, Hashable {
    /// The kinds of failures.
    public enum Kind: Sendable, Hashable, CaseIterable {
      /// There is no such file, or no such folder.
      case notFound
      /// The file must not be read, or its folder must not be written to.
      case notPermitted
      /// There is a file already.
      case exists
      /// The disk is full, or the user's share of it.
      case noSpace
      /// Another download writes to this file.
      case inUse
      /// The file changed while it was sent.
      case changed
      /// Another failure.
      case other
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The kind of failure.
    public let kind: Kind
    /// The path of the file.
    public let path: String
    /// The system's description of the failure.
    public let reason: String
  }

  /// A failure because a request can't be sent as it is.
  public struct InvalidRequestFailure: Sendable, Hashable {
    /// The request's method and URL, without secrets.
    public let request: String
    /// The reason why the request can't be sent.
    public let reason: String

    /// Creates a failure.
    public init(request: String, reason: String) {
      self.request = request
      self.reason = reason
    }
  }

  /// A failure because a response's body or header, or a part of a stream, exceeds its size limit.
  public struct TooLargeFailure: Sendable, Hashable {
    /// The size limits of ``Limits``.
    public enum Limit: String, Sendable {
      /// ``Limits/bodySize``.
      case bodySize
      /// ``Limits/headerSize``.
      case headerSize
      /// ``Limits/lineSize``.
      case lineSize
      /// ``Limits/eventSize``.
      case eventSize
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The limit that was exceeded.
    public let limit: Limit
    /// The limit's value, in bytes.
    public let bytes: Int
  }

  /// A failure because a redirect could not or must not be followed.
  public struct RedirectFailure: Sendable, Hashable {
    /// The reasons why a redirect is not followed.
    public enum Reason: Sendable, Hashable {
      /// There were more redirects than ``Limits/redirects`` allows.
      case tooMany(limit: Int)
      /// It leads from https to http.
      case insecure
      /// Its `Location` is not an http or https URL.
      case malformedLocation
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The redirect's target, without secrets.
    public let location: String
    /// The reason why the redirect was not followed.
    public let reason: Reason
  }
}

extension Client {
  /// A failure because a request was not sent, to spare its server.
  public struct NotSentFailure: Sendable, Hashable {
    /// The reasons why a request is not sent.
    public enum Reason: Sendable, Hashable {
      /// The server's rate limit is used up.
      case rateLimit
      /// The server's circuit is open after consecutive failures.
      case circuitOpen
      /// The call only wants what is stored, and nothing is (``CacheMode/only``).
      case notStored
    }

    /// The request's method and URL, without secrets.
    public let request: String
    /// The reason why the request was not sent.
    public let reason: Reason
    /// The time until a request may be sent again.
    public let retryAfter: Duration
  }
}

extension Client.TransportFailure.Kind {
  /// Whether the same request may succeed when it is retried.
  ///
  /// Lookups, routes and connections may work again when the network or the server is back, so their
  /// failures are retryable, as are failures of an unknown kind. The other kinds come from how the
  /// server is set up: its certificate, TLS versions, port and HTTP stay the same. So does a damaged
  /// content coding: TCP detects damage in transit, so the server sent it damaged. A body that does not
  /// match its digest may have been damaged by a cache or a proxy: another attempt may get a good one.
  public var isRetryable: Bool {
    switch self {
    case .nameNotResolved, .unreachable, .refused, .lost, .digest, .other: true
    case .untrusted, .tls, .protocolError, .contentCoding: false
    }
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

extension Client.StatusFailure {
  /// Whether the server rejected the request because of too many requests: with 429, or as GitHub does
  /// with 403 and `Retry-After`, an exhausted limit (``HTTPTypes/HTTPFields/rateLimit(now:)``) or a
  /// message that names its secondary limit.
  public var isRateLimited: Bool { retryAdvice(now: Date()).isRateLimited }

  func retryAdvice(now: Date) -> RetryAdvice {
    RetryAdvice(response, message: message, now: now)
  }
}
