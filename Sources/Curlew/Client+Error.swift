public import Foundation
public import HTTPTypes

extension Client {
  /// Why a request gave no value.
  ///
  /// It has two texts. ``errorDescription``, which `localizedDescription` returns, is for users: it
  /// names no server, path or type, and quotes nothing that a server sent. ``description`` is for
  /// the log: the request, and all that is known. Neither holds a secret.
  public enum Error: Swift.Error, Sendable {
    /// The server was not reached, or there was no whole response that is HTTP.
    case transport(TransportFailure)
    /// A time limit passed.
    case timeout(TimeoutFailure)
    /// The server answered with a status outside 200...299.
    case status(StatusFailure)
    /// The response is not what the endpoint expects.
    case decoding(DecodingFailure)
    /// The request's body could not be encoded.
    case encoding(EncodingFailure)
    /// The request can't be sent as it is.
    case invalidRequest(InvalidRequestFailure)
    /// The response's body or header is longer than the limit.
    case tooLarge(TooLargeFailure)
    /// A redirect could not or must not be followed.
    case redirect(RedirectFailure)
    /// The client did not send the request, to spare the server.
    case notSent(NotSentFailure)
    /// The task was cancelled: nothing failed.
    case cancelled
  }

  /// Says that a server was not reached, or that there was no whole response that is HTTP.
  public struct TransportFailure: Sendable, Hashable {
    /// What happened to the connection or to the response.
    public enum Kind: Sendable, Hashable, CaseIterable {
      /// The host name could not be resolved to an address.
      case nameNotResolved
      /// There is no network, no route to the host, or nothing at its address responds.
      case unreachable
      /// The host refused the connection: nothing listens on the port.
      case refused
      /// The connection was reset or closed before the response was complete.
      case lost
      /// Server and client don't trust each other: the server's certificate, the name on it, its
      /// pinned key, or the client's certificate was rejected.
      case untrusted
      /// The TLS handshake failed otherwise: no common version, or the port does not speak TLS.
      case tls
      /// The response is not HTTP: a malformed head or chunk, or TLS on a port for plain HTTP.
      case protocolError
      /// The response's content coding is damaged, cut off or not supported.
      case contentCoding
      /// Something else, or something that the transport can't tell apart.
      case other
    }

    /// The request: method and URL, without secrets.
    public let request: String
    /// What happened, for a program to decide by.
    public let kind: Kind
    /// What the transport said, without secrets.
    public let reason: String
  }

  /// Says that a time limit passed.
  public struct TimeoutFailure: Sendable, Hashable {
    /// Which limit, as it is called in ``Limits``.
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

    /// The request: method and URL, without secrets.
    public let request: String
    /// The limit that passed.
    public let limit: Limit
    /// Its value.
    public let duration: Duration
  }

  /// Says that a server answered with a status outside 200...299.
  public struct StatusFailure: Sendable, Hashable {
    /// The request: method and URL, without secrets.
    public let request: String
    /// Status and header fields of the response; secret fields are masked.
    public let response: HTTPResponse
    /// The first 64 KiB of the response's body, without secrets.
    public let body: Data
    /// What the API itself says went wrong, where that was found.
    public let message: String?
    /// The body as the type that the endpoint, or its client, names for errors.
    let value: (any Sendable)?

    /// Returns the body as the type that the endpoint (``Endpoint/errorBody``) or its client names for
    /// errors; `nil` where that is another type, or where the body is something else.
    ///
    /// ```swift
    /// } catch .status(let failure) {
    ///   show(failure.body(as: ValidationErrors.self)?.fields ?? [])
    /// }
    /// ```
    public func body<Body>(as type: Body.Type) -> Body? { value as? Body }

    /// Whether two failures are the same: the body stands for what was decoded from it.
    public static func == (one: Self, other: Self) -> Bool {
      one.request == other.request && one.response == other.response && one.body == other.body
        && one.message == other.message
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(request)
      hasher.combine(response)
      hasher.combine(body)
    }
  }

  /// Says that a response is not what the endpoint expects.
  public struct DecodingFailure: Sendable, Hashable {
    /// The request: method and URL, without secrets.
    public let request: String
    /// The type of the endpoint's response.
    public let type: String
    /// Where in the JSON: `[3].user.login`; empty at its top.
    public let codingPath: String
    /// What was expected and what was found.
    public let reason: String
    /// The JSON there, or the text around the fault where it is not JSON: at most 160 characters.
    public let excerpt: String
    /// In what way the response is not what was expected.
    let kind: Kind

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

  /// Says that a request's body could not be encoded.
  public struct EncodingFailure: Sendable, Hashable {
    /// The request: method and URL, without secrets.
    public let request: String
    /// What the encoder said.
    public let reason: String
  }

  /// Says that a request can't be sent as it is.
  public struct InvalidRequestFailure: Sendable, Hashable {
    /// The request: method and URL, without secrets.
    public let request: String
    /// What is wrong with it.
    public let reason: String

    /// Creates the failure of a request that can't be sent as it is.
    public init(request: String, reason: String) {
      self.request = request
      self.reason = reason
    }
  }

  /// Says that a part of a response is longer than its limit.
  public struct TooLargeFailure: Sendable, Hashable {
    /// Which limit, as it is called in ``Limits``.
    public enum Limit: String, Sendable {
      /// ``Limits/bodySize``.
      case bodySize
      /// ``Limits/headerSize``.
      case headerSize
    }

    /// The request: method and URL, without secrets.
    public let request: String
    /// The limit that was exceeded.
    public let limit: Limit
    /// Its value.
    public let bytes: Int
  }

  /// Says that a redirect could not or must not be followed.
  public struct RedirectFailure: Sendable, Hashable {
    /// Why.
    public enum Reason: Sendable, Hashable {
      /// There were more than ``Limits/redirects``.
      case tooMany(limit: Int)
      /// It leads from https to http.
      case insecure
      /// Its `Location` is not an http or https URL.
      case malformedLocation
    }

    /// The request: method and URL, without secrets.
    public let request: String
    /// Where it leads, without secrets.
    public let location: String
    /// Why it was not followed.
    public let reason: Reason
  }
}

extension Client {
  /// Says that a request was not sent, to spare a server that wants, or needs, to be left alone.
  public struct NotSentFailure: Sendable, Hashable {
    /// Why.
    public enum Reason: Sendable, Hashable {
      /// The server's rate limit is used up.
      case rateLimit
      /// The server failed again and again.
      case circuitOpen
    }

    /// The request: method and URL, without secrets.
    public let request: String
    /// Why.
    public let reason: Reason
    /// How long the server is still left alone.
    public let retryAfter: Duration
  }
}

extension Client.TransportFailure.Kind {
  /// Whether the same request may succeed a little later.
  ///
  /// Names and routes come back with the network, and a server that restarts refuses connections
  /// and loses them, so those are retryable, and so is what is not known. The rest is how a server
  /// is set up: its certificate, its versions of TLS, its port and its HTTP are the same the next
  /// time; and TCP notices what is damaged on the way, so a damaged content coding left the server
  /// like that.
  public var isRetryable: Bool {
    switch self {
    case .nameNotResolved, .unreachable, .refused, .lost, .other: true
    case .untrusted, .tls, .protocolError, .contentCoding: false
    }
  }
}

extension Client.Error {
  /// The request that failed: method and URL, without secrets; `nil` when it was cancelled.
  public var request: String? {
    switch self {
    case .transport(let failure): failure.request
    case .timeout(let failure): failure.request
    case .status(let failure): failure.request
    case .decoding(let failure): failure.request
    case .encoding(let failure): failure.request
    case .invalidRequest(let failure): failure.request
    case .tooLarge(let failure): failure.request
    case .redirect(let failure): failure.request
    case .notSent(let failure): failure.request
    case .cancelled: nil
    }
  }

  /// Whether the same request may succeed a little later.
  public var isRetryable: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout, .notSent: true
    case .status(let failure): failure.retryAdvice(now: Date()) != .never
    case .decoding, .encoding, .invalidRequest, .tooLarge, .redirect, .cancelled: false
    }
  }

  /// The status of the response, where there was one that is an error.
  public var status: HTTPResponse.Status? {
    guard case .status(let failure) = self else { return nil }
    return failure.response.status
  }
}

extension Client.StatusFailure {
  /// Whether the server refused because of too many requests: 429, or 403 as GitHub uses it, with
  /// `Retry-After`, a used-up limit (``HTTPTypes/HTTPFields/rateLimit(now:)``) or a message that names
  /// its secondary limit.
  public var isRateLimited: Bool { retryAdvice(now: Date()).isRateLimited }

  func retryAdvice(now: Date) -> RetryAdvice {
    RetryAdvice(response, message: message, now: now)
  }
}
