import Foundation

extension Client {
  /// A failure to reach the server, or to receive a complete and valid HTTP response.
  ///
  /// A transport throws it when a connection or a response fails:
  ///
  /// ```swift
  /// throw Client.TransportFailure(.refused, reason: "connection refused (192.0.2.1:443)")
  /// ```
  public struct TransportFailure: Swift.Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of transport failures.
    @nonexhaustive public enum Kind: Sendable, Hashable, CaseIterable {
      /// The host name could not be resolved to an address.
      case nameNotResolved
      /// There is no network, no route to the host, or no response from its address.
      case unreachable
      /// The host refused the connection: no server listens on the port.
      case refused
      /// The connection was reset or closed before the response was complete.
      case lost
      /// A certificate was rejected: the server's, because of its issuer, its name or its pinned key,
      /// or the client's.
      case untrusted
      /// The TLS handshake failed for another reason: no common version, the server does not use TLS on
      /// the port, or a proxy requires other credentials for the tunnel to the server.
      case tls
      /// The response is not valid HTTP: a malformed head or chunk, or TLS on a port for plain HTTP.
      case protocolError
      /// The response's content coding is damaged, truncated or not supported.
      case contentCoding
      /// The body does not match the digest in its header fields (RFC 9530).
      case digest
      /// Another failure, or a failure that the transport can't classify.
      case other
    }

    /// The request's method and URL, without secrets.
    ///
    /// It is empty until the client reports the failure.
    var request = ""
    /// The kind of failure.
    public let kind: Kind
    /// The transport's description of the failure, for a developer's log.
    ///
    /// The client masks the request's secrets in it; it must not contain other secrets.
    public let reason: String

    /// Creates a failure with its kind and reason.
    public init(_ kind: Kind, reason: String) {
      (self.kind, self.reason) = (kind, reason)
    }

    /// The reason.
    public var description: String { reason }
  }
}

extension Client.TransportFailure.Kind {
  /// Whether the same request may succeed when it is retried.
  ///
  /// Failed lookups, routes and connections are retryable, because they may succeed when the network or the
  /// server is back, as are failures of an unknown kind. The other kinds result from the server's
  /// configuration: its certificate, TLS versions, port and HTTP stay the same. A damaged content coding
  /// also stays the same: TCP detects damage in transit, so the server sent it damaged. A body that does not
  /// match its digest may have been damaged by a cache or a proxy, so another attempt may get an intact body.
  var isRetryable: Bool {
    switch self {
    case .nameNotResolved, .unreachable, .refused, .lost, .digest, .other: true
    case .untrusted, .tls, .protocolError, .contentCoding: false
    }
  }
}

extension Client.TransportFailure {
  /// Creates a failure from any error that a transport or a body threw.
  init(_ error: any Error) {
    switch error {
    case let error as Client.TransportFailure: self = error
    // Only the description: the error's `userInfo` contains whole URLs.
    case let error as URLError: self.init(error.kind, reason: error.localizedDescription)
    default: self.init(.other, reason: "\(error)")
    }
  }

  /// The error for a proxy that makes no tunnel to a server.
  ///
  /// - Parameter status: The status of its response; `nil` for another status than 407.
  static func noTunnel(status: Int?) -> Client.TransportFailure {
    status == 407
      ? Client.TransportFailure(.tls, reason: "the proxy requires other credentials (407)")
      : Client.TransportFailure(
        .unreachable,
        reason: "the proxy refused the server, or could not connect to it"
          + (status.map { " (\($0))" } ?? ""))
  }

  /// The error when a second task reads a body, which can be iterated only once.
  static let secondReader = Client.TransportFailure(
    .other, reason: "another task is already reading the response's body")
}
