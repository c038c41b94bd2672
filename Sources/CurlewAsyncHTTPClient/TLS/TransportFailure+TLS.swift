import AsyncHTTPClient
import Curlew
import NIOSSL

extension Client.TransportFailure {
  /// Returns the transport error for a failure of TLS, as far as BoringSSL reports it; `nil` if it is another
  /// error.
  ///
  /// - Parameter tls: The client's settings, if known.
  static func tls(_ error: any Error, _ tls: TLSSettings?) -> Client.TransportFailure? {
    #if canImport(Network)
      if let error = error as? HTTPClient.NWTLSError {
        if error.status == -9843 { return .otherName }
        let reason = Self.reason(ofStatus: error.status)
        return reason.flatMap { Self(tlsReason: $0, tls) } ?? Self(tlsText: "\(error)")
      }
    #endif
    return switch error {
    case NIOSSLError.handshakeFailed(let error): Self(error, tls)
    case let error as BoringSSLError: Self(error, tls)
    // Without a `close_notify` alert data may be missing.
    case NIOSSLError.uncleanShutdown: .closed
    case let error as NIOSSLExtraError where error == .failedToValidateHostname: .otherName
    case is NIOSSLError, is NIOSSLExtraError: Self(tlsText: "\(error)")
    default: nil
    }
  }

  private static let otherName = Client.TransportFailure(
    .untrusted, reason: "the certificate is for another host name")

  private init(tlsText text: String) { self.init(.tls, reason: "TLS: \(text)") }

  private init(_ error: BoringSSLError, _ tls: TLSSettings?) {
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
      reasons.lazy.compactMap { Self(tlsReason: $0, tls) }.first
      ?? Self(tlsText: reasons.first ?? "\(error)")
  }

  /// - Parameter reason: One of BoringSSL's reasons.
  private init?(tlsReason reason: String, _ tls: TLSSettings?) {
    switch reason {
    case "CERTIFICATE_VERIFY_FAILED":
      self.init(
        .untrusted,
        reason: "the certificate is not accepted: it has expired, is not valid yet, "
          + "or its issuer is not trusted")
    case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION":
      self.init(
        .tls,
        reason: tls.map { "the server does not speak \($0.minimumVersion.rawValue) or later" }
          ?? "the server supports no secure version of TLS")
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST":
      self.init(.tls, reason: "the server does not speak TLS on this port")
    case "SSLV3_ALERT_HANDSHAKE_FAILURE":
      // Servers send this alert for other reasons, too, such as the ciphers.
      self.init(
        .tls,
        reason: tls?.identity == nil
          ? "the server refused the TLS handshake: it may require a client certificate"
          : "the server refused the TLS handshake: it may not accept the client certificate")
    case "TLSV1_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_NO_CERTIFICATE",
      "SSLV3_ALERT_BAD_CERTIFICATE", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
      "SSLV3_ALERT_CERTIFICATE_REVOKED", "SSLV3_ALERT_CERTIFICATE_EXPIRED",
      "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "TLSV1_ALERT_UNKNOWN_CA", "TLSV1_ALERT_ACCESS_DENIED":
      let words = reason.split(separator: "_").drop { $0 != "ALERT" }.dropFirst()
      let alert = words.joined(separator: " ").lowercased()
      let text =
        switch tls {
        case nil: "the server requires a client certificate, or refused it (\(alert))"
        case let tls? where tls.identity == nil: "the server requires a client certificate"
        case _?: "the server refused the client certificate (\(alert))"
        }
      self.init(.untrusted, reason: text)
    default: return nil
    }
  }

  #if canImport(Network)
    /// Returns BoringSSL's reason for a status code of `<Security/SecureTransport.h>`.
    private static func reason(ofStatus status: Int32) -> String? {
      switch status {
      case -9807, -9808, -9812, -9813, -9814, -9815: "CERTIFICATE_VERIFY_FAILED"
      case -9825: "SSLV3_ALERT_BAD_CERTIFICATE"
      case -9826: "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE"
      case -9827: "SSLV3_ALERT_CERTIFICATE_REVOKED"
      case -9828: "SSLV3_ALERT_CERTIFICATE_EXPIRED"
      case -9829: "SSLV3_ALERT_CERTIFICATE_UNKNOWN"
      case -9831: "TLSV1_ALERT_UNKNOWN_CA"
      case -9824: "SSLV3_ALERT_HANDSHAKE_FAILURE"
      case -9836: "UNSUPPORTED_PROTOCOL"
      default: nil
      }
    }
  #endif
}
