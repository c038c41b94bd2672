import Curlew

/// Says in a few words why server and client don't trust each other.
struct TrustFailure: UntrustedConnection, CustomStringConvertible {
  let description: String
}

extension TLSProblem {
  /// Returns what to tell of it.
  ///
  /// - Parameter tls: The client's settings, where they are known.
  func failure(tls: TLSSettings? = nil) -> any Error {
    switch self {
    case .certificate:
      TrustFailure(
        description: "the certificate is not accepted: it has expired, is not valid yet, "
          + "or its issuer is not trusted")
    case .name: TrustFailure(description: "the certificate is for another host name")
    case .identity(let alert):
      if let tls {
        TrustFailure(
          description: tls.identity == nil
            ? "the server requires a client certificate"
            : "the server refused the client certificate (\(alert))")
      } else {
        TrustFailure(
          description: "the server requires a client certificate, or refused it (\(alert))")
      }
    case .refused:
      TrustFailure(
        description: tls?.identity == nil
          ? "the server refused the TLS handshake: it may require a client certificate"
          : "the server refused the TLS handshake: it may not accept the client certificate")
    case .version:
      TrustFailure(
        description: tls.map { "the server does not speak \($0.minimumVersion.rawValue) or later" }
          ?? "the server speaks no version of TLS that is safe")
    case .notTLS: TransferFailure(description: "the server does not speak TLS on this port")
    case .closedInHandshake:
      TransferFailure(description: "the connection was closed in the TLS handshake")
    case .cut:
      TransferFailure(description: "the connection was closed before the answer was complete")
    case .other(let text): TransferFailure(description: "TLS: \(text)")
    }
  }
}
