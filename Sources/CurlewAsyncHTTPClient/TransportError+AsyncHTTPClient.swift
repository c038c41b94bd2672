import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix

extension TransportError {
  static let closed = TransportError(
    .lost, reason: "the connection was closed before the response was complete")

  /// Returns the transport error for an error of AsyncHTTPClient; a cancellation is returned as it
  /// is.
  ///
  /// - Parameters:
  ///   - server: The server, named in the text if nothing else is known.
  ///   - tls: The client's settings, if known.
  static func describing(
    _ error: any Error, from server: String? = nil, tls: TLSSettings? = nil
  ) -> any Error {
    if error is CancellationError || error is TransportError { return error }
    if isHeaderTooLong(error) { return HeaderTooLong() }
    if let problem = TLSProblem(error) { return problem.error(tls: tls) }
    let described = TransportError(describing: error)
    guard error is IOError, let server else { return described }
    return TransportError(described.kind, reason: "\(described.reason) (\(server))")
  }

  private static func isHeaderTooLong(_ error: any Error) -> Bool {
    switch error {
    case HTTPParserError.headerOverflow, is NIOHPACKErrors.MaxHeaderListSizeViolation,
      is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
      true
    default: false
    }
  }

  private init(describing error: any Error) {
    #if canImport(Network)
      if let described = Self.network(error) {
        self = described
        return
      }
    #endif
    self =
      switch error {
      case let error as HTTPClientError: TransportError(error)
      case let error as NIOConnectionError: TransportError(error)
      case let error as IOError: TransportError(POSIXErrorCode(rawValue: error.errnoCode), error)
      case let error as ChannelError: TransportError(error)
      case HTTPParserError.invalidEOFState: .closed
      case is HTTPParserError:
        TransportError(.protocolError, reason: "the response is not HTTP (\(error))")
      case is StaleConnectionError: .closed
      case let error as UnprocessedError:
        TransportError(
          .lost,
          reason: "the server did not process the request (HTTP/2)"
            + (error.refusals > 1 ? ", \(error.refusals) times in a row" : ""))
      case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .protocolError:
        TransportError(.protocolError, reason: "the response is not HTTP/2 (\(error.errorCode))")
      case let error as NIOHTTP2Errors.StreamClosed:
        TransportError(.lost, reason: "the server reset the HTTP/2 stream (\(error.errorCode))")
      case let error as NIOHTTP2Errors.StreamError: TransportError(describing: error.baseError)
      case is NIOHTTP2Errors.IOOnClosedConnection: .closed
      case is any NIOHTTP2Error:
        TransportError(.protocolError, reason: "the response is not HTTP/2 (\(error))")
      default: TransportError(.other, reason: "\(error)")
      }
  }

  private init(_ error: HTTPClientError) {
    self =
      switch error {
      case .remoteConnectionClosed, .uncleanShutdown: .closed
      case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
        TransportError(.unreachable, reason: "no connection could be made in time")
      case .tlsHandshakeTimeout:
        TransportError(.unreachable, reason: "TLS: the handshake took too long")
      case .getConnectionFromPoolTimeout:
        TransportError(.other, reason: "no connection was free in time")
      case .alreadyShutdown, .cancelled:
        TransportError(.other, reason: "the HTTP client was shut down")
      case .invalidProxyResponse:
        TransportError(.protocolError, reason: error.shortDescription)
      // Only the short description, because the long one quotes header fields.
      default: TransportError(.other, reason: error.shortDescription)
      }
  }

  private init(_ error: NIOConnectionError) {
    guard let failure = error.connectionErrors.last else {
      self.init(
        .nameNotResolved, reason: "the host name could not be resolved (\(error.host))")
      return
    }
    let address = "\(failure.target.ipAddress ?? error.host):\(error.port)"
    let described = TransportError(describing: failure.error)
    self.init(described.kind, reason: "\(described.reason) (\(address))")
  }

  private init(_ error: ChannelError) {
    self =
      switch error {
      case .connectTimeout: TransportError(HTTPClientError.connectTimeout)
      case .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed, .eof: .closed
      default: TransportError(.other, reason: "\(error)")
      }
  }

  private init(_ code: POSIXErrorCode?, _ error: any Error) {
    let (kind, reason): (Client.TransportFailure.Kind, String) =
      switch code {
      case .ECONNREFUSED: (.refused, "connection refused")
      case .ECONNRESET, .EPIPE, .ECONNABORTED, .ENOTCONN:
        (.lost, "the connection was reset before the response was complete")
      case .EHOSTUNREACH, .EHOSTDOWN: (.unreachable, "the host can't be reached")
      case .ENETUNREACH, .ENETDOWN: (.unreachable, "the network can't be reached")
      case .ETIMEDOUT: (.unreachable, "the connection timed out")
      default: (.other, "\(error)")
      }
    self.init(kind, reason: reason)
  }

  #if canImport(Network)
    private static func network(_ error: any Error) -> TransportError? {
      switch error {
      case let error as HTTPClient.NWPOSIXError: TransportError(error.errorCode, error)
      case is HTTPClient.NWDNSError:
        TransportError(.nameNotResolved, reason: "the host name could not be resolved")
      default: nil
      }
    }
  #endif
}
