/// Whom a client trusts on https connections, and how it identifies itself.
///
/// ```swift
/// var tls = TLSSettings()
/// tls.roots = .systemAnd(try .pem(file: "/etc/acme/ca.pem"))
/// tls.identity = try .pem(certificates: "/etc/acme/me.pem", privateKey: "/etc/acme/me.key")
/// let acme = Client(baseURL: "https://api.acme.example") {
///   $0.transport = .asyncHTTPClient(tls: tls)
/// }
/// ```
///
/// All of it applies to every server that a client reaches, those that redirects lead to included.
/// HTTP/2 needs no setting: it is spoken with every server that offers it (ALPN, RFC 7301).
///
/// A connection that is refused for any of this is a ``Curlew/Client/TransportFailure`` that says why;
/// its kind is `untrusted`, or `tls` where there is no common version.
public struct TLSSettings: Sendable, Hashable {
  /// Who may have issued a server's certificate.
  public enum Roots: Sendable, Hashable {
    /// Whom the system trusts.
    case system
    /// Whom the system trusts, and these: for a company's own servers.
    case systemAnd(Certificates)
    /// These alone: what the system trusts counts for nothing.
    case only(Certificates)
  }

  /// A version of TLS.
  public enum Version: String, Sendable, Hashable {
    /// TLS 1.2 (RFC 5246).
    case v1_2 = "TLS 1.2"
    /// TLS 1.3 (RFC 8446).
    case v1_3 = "TLS 1.3"
  }

  /// Who may have issued a server's certificate: by default whom the system trusts.
  public var roots: Roots = .system

  /// What the client shows to a server that asks who it is (mTLS); by default it shows nothing.
  public var identity: Identity?

  /// Public keys, of which a server must have one, beyond all other checks.
  ///
  /// None by default: any key will do. With pins, plain http is refused. Name two at least, the
  /// server's key and the next one, or a lost key locks everybody out.
  public var pins: Set<Pin> = []

  /// The oldest version to speak.
  ///
  /// TLS 1.2 by default: the older ones are broken, and every server of today has it (RFC 8996).
  public var minimumVersion: Version = .v1_2

  /// Creates the settings that a client has by default.
  public init() {}
}
