import Foundation

extension URLError {
  /// The error for a header that exceeds a limit of libcurl, from its message on Linux; `nil` for other errors.
  var headerLimit: HeaderTooLong? {
    #if canImport(FoundationNetworking)
      guard code == .unknown else { return nil }
      let message = localizedDescription
      // libcurl 7 reports a single line that is too long as a lack of memory.
      guard Self.headerMessages.contains(where: { message.hasPrefix($0) }) else { return nil }
      return HeaderTooLong(
        transportLimit: "URLSession on Linux: 100 KiB for a field, 300 KiB in all")
    #else
      return nil
    #endif
  }

  /// The kind of the failure, from the error's code or, on Linux, from libcurl's message.
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
    // The session has no time limits of its own: only the system's connection attempt can time out.
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
    /// The kind of the failure, from libcurl's message; `nil` if the code alone is more precise.
    ///
    /// swift-corelibs-foundation maps a handful of libcurl's result codes and reports `.unknown` for
    /// all others: for TLS failures, incomplete bodies and malformed responses. The result code itself
    /// is lost, even in the underlying error, so only libcurl's message is left. It is never
    /// translated. The message is needed for `.cannotConnectToHost`, too: when a host's first address
    /// refuses the connection and the second address fails in another way, the error still has that
    /// code.
    fileprivate var libcurlKind: Client.TransportFailure.Kind? {
      switch code {
      // "Empty reply from server".
      case .badServerResponse: .lost
      // Also reported for an unsupported version of HTTP. Requests with unsupported URLs are never
      // made.
      case .unsupportedURL: .protocolError
      // Refused connections have their own code.
      case .unknown where localizedDescription.hasPrefix("Failed to connect"): .unreachable
      case .unknown, .cannotConnectToHost: Self.kind(of: localizedDescription)
      default: nil
      }
    }

    private static func kind(of message: String) -> Client.TransportFailure.Kind? {
      // The last three hexadecimal digits of an OpenSSL error's number are its reason.
      if let number = message.firstMatch(of: /error:[0-9A-Fa-f]{5}([0-9A-Fa-f]{3}):/)?.1 {
        return kind(ofTLS: Int(number, radix: 16) ?? 0)
      }
      return messages.first { message.hasPrefix($0.start) }?.kind
    }

    /// Returns the kind of an OpenSSL error.
    ///
    /// - Parameter reason: The reason from `<openssl/sslerr.h>`; for an alert, 1000 plus its number
    ///   (RFC 8446 section 6).
    private static func kind(ofTLS reason: Int) -> Client.TransportFailure.Kind {
      switch reason {
      // The server's certificate, or an alert about the client's.
      case 134, 1041...1046, 1048, 1049, 1116: .untrusted
      // The connection was closed.
      case 294: .lost
      default: .tls
      }
    }

    fileprivate static let headerMessages = [
      "Too large response headers", "Out of memory", "A value or data field grew larger",
    ]

    /// The beginnings of the messages of libcurl 7 and 8.
    private static let messages: [(start: String, kind: Client.TransportFailure.Kind)] = [
      ("Could not resolve proxy", .nameNotResolved),
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
