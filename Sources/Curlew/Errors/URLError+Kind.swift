import Foundation

extension URLError {
  /// What happened on the connection, from the error's code, or on Linux from libcurl's message.
  var kind: Client.TransportFailure.Kind {
    #if canImport(FoundationNetworking)
      libcurlKind ?? codeKind
    #else
      codeKind
    #endif
  }

  private var codeKind: Client.TransportFailure.Kind {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: .nameNotResolved
    // The session has no time limits of its own: what times out is the system's attempt to connect.
    case .notConnectedToInternet, .timedOut, .internationalRoamingOff, .callIsActive,
      .dataNotAllowed:
      .unreachable
    case .cannotConnectToHost: .refused
    case .networkConnectionLost, .zeroByteResource: .lost
    case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateNotYetValid,
      .serverCertificateHasUnknownRoot, .clientCertificateRejected, .clientCertificateRequired,
      .appTransportSecurityRequiresSecureConnection:
      .untrusted
    case .secureConnectionFailed: .tls
    case .badServerResponse, .cannotParseResponse: .protocolError
    case .cannotDecodeRawData, .cannotDecodeContentData: .contentCoding
    default: .other
    }
  }
}

#if canImport(FoundationNetworking)
  extension URLError {
    /// What libcurl says; `nil` where the code alone tells more.
    ///
    /// swift-corelibs-foundation maps a handful of libcurl's results to codes and makes `.unknown` of
    /// all others: of every failure of TLS, of a cut body and of malformed responses. libcurl's own
    /// result is lost, also in the underlying error, so its message is all there is. It is never
    /// translated. `.cannotConnectToHost` needs it, too: a name's second address may be tried after
    /// its first one refused, and whatever fails there still has that code.
    fileprivate var libcurlKind: Client.TransportFailure.Kind? {
      switch code {
      // "Empty reply from server".
      case .badServerResponse: .lost
      // Also of a version of HTTP that libcurl does not take; of other URLs no request is made.
      case .unsupportedURL: .protocolError
      // A connection that was refused has a code.
      case .unknown where localizedDescription.hasPrefix("Failed to connect"): .unreachable
      case .unknown, .cannotConnectToHost: Self.kind(of: localizedDescription)
      default: nil
      }
    }

    private static func kind(of message: String) -> Client.TransportFailure.Kind? {
      // An error of OpenSSL has a number, of which the last three digits are its reason.
      if let number = message.firstMatch(of: /error:[0-9A-Fa-f]{5}([0-9A-Fa-f]{3}):/)?.1 {
        return kind(ofTLS: Int(number, radix: 16) ?? 0)
      }
      return messages.first { message.hasPrefix($0.start) }?.kind
    }

    /// - Parameter reason: As in `<openssl/sslerr.h>`; an alert's is 1000 more (RFC 8446 section 6).
    private static func kind(ofTLS reason: Int) -> Client.TransportFailure.Kind {
      switch reason {
      // The certificate, or an alert about the client's.
      case 134, 1041...1046, 1048, 1049, 1116: .untrusted
      // The end of the connection.
      case 294: .lost
      default: .tls
      }
    }

    /// How messages of libcurl 7 and 8 begin.
    private static let messages: [(start: String, kind: Client.TransportFailure.Kind)] = [
      ("SSL certificate problem", .untrusted),
      ("SSL: ", .untrusted),  // no alternative certificate subject name matches …
      ("SSL peer certificate", .untrusted),
      ("SSL connect error", .tls),
      ("OpenSSL SSL_", .lost),  // SSL_ERROR_SYSCALL in connection to …
      ("transfer closed with", .lost),
      ("end of response with", .lost),
      ("Recv failure", .lost),
      ("Send failure", .lost),
      ("getpeername() failed", .lost),
      ("Illegal or missing hexadecimal", .protocolError),
      ("Too long hexadecimal", .protocolError),
      ("Malformed encoding found", .protocolError),
      ("Invalid Content-Length", .protocolError),
      ("Header without colon", .protocolError),
      ("Nul byte in header", .protocolError),
      ("Weird server reply", .protocolError),
      ("Failed writing header", .protocolError),
      ("Error while processing content unencoding", .contentCoding),
      ("Unrecognized content encoding", .contentCoding),
    ]
  }
#endif
