import AsyncHTTPClient
import NIOSSL

/// The cause of a TLS failure, as far as BoringSSL reports it.
enum TLSProblem: Equatable {
  /// The server's certificate was rejected, for an unknown reason.
  case certificate
  /// The certificate is for other host names.
  case name
  /// The server sent an alert about the client's certificate, or the lack of one.
  case identity(alert: String)
  /// The server ended the handshake without a reason.
  case refused
  /// The client and the server have no version of TLS in common.
  case version
  /// The server's bytes are not TLS.
  case notTLS
  /// The connection was closed during the handshake.
  case closedInHandshake
  /// The connection was closed without a `close_notify` alert, so that data may be missing.
  case cut
  /// Another problem, in BoringSSL's text.
  case other(String)

  /// Creates the problem behind an error, or `nil` if it is not a TLS error.
  init?(_ error: any Error) {
    #if canImport(Network)
      if let error = error as? HTTPClient.NWTLSError {
        self = Self(status: error.status) ?? .other("\(error)")
        return
      }
    #endif
    switch error {
    case NIOSSLError.handshakeFailed(let error): self.init(error)
    case NIOSSLError.uncleanShutdown: self = .cut
    case let error as BoringSSLError: self.init(error)
    case let error as NIOSSLError: self = .other("\(error)")
    case let error as NIOSSLExtraError:
      self = error == .failedToValidateHostname ? .name : .other("\(error)")
    default: return nil
    }
  }

  private init(_ error: BoringSSLError) {
    let stack: NIOBoringSSLErrorStack =
      switch error {
      case .sslError(let stack), .unknownError(let stack): stack
      default: []
      }
    if stack.contains(.eofDuringHandshake) {
      self = .closedInHandshake
      return
    }
    // Entries read `… SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …`.
    let reasons = stack.compactMap { entry in
      entry.description.firstMatch(of: /OPENSSL_internal:(\w+)/).map { String($0.1) }
    }
    self = reasons.lazy.compactMap { Self(reason: $0) }.first ?? .other(reasons.first ?? "\(error)")
  }

  private init?(reason: String) {
    switch reason {
    case "CERTIFICATE_VERIFY_FAILED": self = .certificate
    case "UNSUPPORTED_PROTOCOL", "TLSV1_ALERT_PROTOCOL_VERSION": self = .version
    case "WRONG_VERSION_NUMBER", "HTTP_REQUEST", "HTTPS_PROXY_REQUEST": self = .notTLS
    case "SSLV3_ALERT_HANDSHAKE_FAILURE": self = .refused
    case "TLSV1_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_NO_CERTIFICATE",
      "SSLV3_ALERT_BAD_CERTIFICATE", "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE",
      "SSLV3_ALERT_CERTIFICATE_REVOKED", "SSLV3_ALERT_CERTIFICATE_EXPIRED",
      "SSLV3_ALERT_CERTIFICATE_UNKNOWN", "TLSV1_ALERT_UNKNOWN_CA", "TLSV1_ALERT_ACCESS_DENIED":
      let words = reason.split(separator: "_").drop { $0 != "ALERT" }.dropFirst()
      self = .identity(alert: words.joined(separator: " ").lowercased())
    default: return nil
    }
  }

  #if canImport(Network)
    /// - Parameter status: A status code of `<Security/SecureTransport.h>`.
    private init?(status: Int32) {
      switch status {
      case -9807, -9808, -9812, -9813, -9814, -9815: self = .certificate
      case -9843: self = .name
      case -9825: self = .identity(alert: "bad certificate")
      case -9826: self = .identity(alert: "unsupported certificate")
      case -9827: self = .identity(alert: "certificate revoked")
      case -9828: self = .identity(alert: "certificate expired")
      case -9829: self = .identity(alert: "certificate unknown")
      case -9831: self = .identity(alert: "unknown ca")
      case -9824: self = .refused
      case -9836: self = .version
      default: return nil
      }
    }
  #endif
}
