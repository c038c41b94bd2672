import Curlew

extension TLSProblem {
  /// Returns the error to throw.
  ///
  /// - Parameter tls: The client's settings, if known.
  func error(tls: TLSSettings? = nil) -> Client.TransportFailure {
    switch self {
    case .certificate:
      Client.TransportFailure(
        .untrusted,
        reason: "the certificate is not accepted: it has expired, is not valid yet, "
          + "or its issuer is not trusted")
    case .name:
      Client.TransportFailure(.untrusted, reason: "the certificate is for another host name")
    case .identity(let alert):
      Client.TransportFailure(.untrusted, reason: Self.identityReason(alert, tls))
    case .refused:
      // Servers send this alert for other reasons, too, such as the ciphers.
      Client.TransportFailure(
        .tls,
        reason: tls?.identity == nil
          ? "the server refused the TLS handshake: it may require a client certificate"
          : "the server refused the TLS handshake: it may not accept the client certificate")
    case .version:
      Client.TransportFailure(
        .tls,
        reason: tls.map { "the server does not speak \($0.minimumVersion.rawValue) or later" }
          ?? "the server supports no secure version of TLS")
    case .notTLS:
      Client.TransportFailure(.tls, reason: "the server does not speak TLS on this port")
    case .closedInHandshake:
      Client.TransportFailure(.lost, reason: "the connection was closed in the TLS handshake")
    case .cut: .closed
    case .other(let text): Client.TransportFailure(.tls, reason: "TLS: \(text)")
    }
  }

  private static func identityReason(_ alert: String, _ tls: TLSSettings?) -> String {
    guard let tls else {
      return "the server requires a client certificate, or refused it (\(alert))"
    }
    return tls.identity == nil
      ? "the server requires a client certificate"
      : "the server refused the client certificate (\(alert))"
  }
}
