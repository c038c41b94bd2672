public import Curlew

/// The servers that a client trusts on https connections, and its own identity.
///
/// ```swift
/// var tls = TLSSettings()
/// tls.trust.roots = .systemAnd(try .pem(file: "/etc/acme/ca.pem"))
/// tls.identity = try .pem(certificates: "/etc/acme/me.pem", privateKey: "/etc/acme/me.key")
/// let acme = Client(baseURL: "https://api.acme.example") {
///   $0.transport = .asyncHTTPClient(tls: tls)
/// }
/// ```
///
/// The settings apply to every server that a client reaches, including the targets of redirects.
/// HTTP/2 needs no setting: it is used with every server that offers it (ALPN, RFC 7301).
///
/// A connection that these settings reject throws a `Curlew.Client.TransportFailure` with the
/// reason; its kind is `untrusted`, or `tls` if there is no common version.
public struct TLSSettings: Sendable, Hashable {
  /// A version of TLS.
  public enum Version: String, Sendable, Hashable {
    /// TLS 1.2 (RFC 5246).
    case v1_2 = "TLS 1.2"
    /// TLS 1.3 (RFC 8446).
    case v1_3 = "TLS 1.3"
  }

  /// The servers that a client trusts: by default, servers with a certificate under the system's
  /// roots.
  public var trust = ServerTrust()

  /// The client certificate for servers that request it (mTLS); none by default.
  public var identity: Identity?

  /// The minimum accepted version of TLS.
  ///
  /// TLS 1.2 by default: older versions are insecure, and all current servers support it (RFC
  /// 8996).
  public var minimumVersion: Version = .v1_2

  /// Creates the default settings.
  public init() {}
}
