import AsyncHTTPClient
import Curlew
import NIOSSL

extension Client.TransportFailure {
  /// Returns the transport error for a failure of TLS, as far as BoringSSL reports it; `nil` if it is another
  /// error.
  static func tls(_ error: any Error) -> Client.TransportFailure? {
    switch error {
    case NIOSSLError.handshakeFailed(let error): Self(error)
    case let error as BoringSSLError: Self(error)
    // Without a `close_notify` alert, data may be missing.
    case NIOSSLError.uncleanShutdown: .closed
    case let error as NIOSSLExtraError where error == .failedToValidateHostname: .otherName
    case is NIOSSLError, is NIOSSLExtraError: Self(tlsText: "\(error)")
    default: nil
    }
  }

  private static let otherName = Client.TransportFailure(
    .untrusted, reason: "the certificate is for another host name")

  private init(tlsText text: String) { self.init(.tls, reason: "TLS: \(text)") }

  private init(_ error: BoringSSLError) {
    let stack: NIOBoringSSLErrorStack =
      switch error {
      case .sslError(let stack), .unknownError(let stack): stack
      default: []
      }
    if stack.contains(.eofDuringHandshake) {
      self.init(.lost, reason: "the connection was closed in the TLS handshake")
      return
    }
    // Entries read `… SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`.
    let reasons = stack.compactMap { entry in
      entry.description.firstMatch(of: /OPENSSL_internal:(\w+)/).map { String($0.1) }
    }
    self =
      reasons.lazy.compactMap { Self(tlsReason: $0) }.first
      ?? Self(tlsText: reasons.first ?? "\(error)")
  }

  /// - Parameter reason: A reason of BoringSSL.
  private init?(tlsReason reason: String) {
    switch reason {
    case "CERTIFICATE_VERIFY_FAILED":
      self.init(
        .untrusted,
        reason: "the certificate is not accepted: it has expired, is not valid yet, "
          + "or its issuer is not trusted")
    case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
      self.init(.tls, reason: "the server does not speak the required version of TLS")
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
      self.init(.tls, reason: "the server does not speak TLS on this port")
    case "SSLV3_ALERT_HANDSHAKE_FAILURE":
      // Servers send this alert for other reasons, too, such as unsupported ciphers.
      self.init(
        .tls,
        reason: "the server refused the TLS handshake: it may require a client certificate, "
          + "or not accept it")
    case "TLSV1_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_NO_CERTIFICATE",
      "SSLV3_ALERT_BAD_CERTIFICATE", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
      "SSLV3_ALERT_CERTIFICATE_REVOKED", "SSLV3_ALERT_CERTIFICATE_EXPIRED",
      "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "TLSV1_ALERT_UNKNOWN_CA", "TLSV1_ALERT_ACCESS_DENIED":
      let words = reason.split(separator: "_").drop { $0 != "ALERT" }.dropFirst()
      let alert = words.joined(separator: " ").lowercased()
      self.init(
        .untrusted, reason: "the server requires a client certificate, or refused it (\(alert))")
    default: return nil
    }
  }
}
