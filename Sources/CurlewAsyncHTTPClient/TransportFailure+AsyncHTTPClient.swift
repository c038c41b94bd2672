import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix

extension Client.TransportFailure {
  static let closed = Client.TransportFailure(
    .lost, reason: "the connection was closed before the response was complete")

  /// Returns the transport error for an error of AsyncHTTPClient; a cancellation is returned
  /// unchanged.
  ///
  /// - Parameter server: The server, named in the text if the error has no details.
  static func describing(_ error: any Error, from server: String? = nil) -> any Error {
    if error is CancellationError || error is Client.TransportFailure || error is HeaderTooLong {
      return error
    }
    if let limit = headerLimit(of: error) { return HeaderTooLong(transportLimit: limit) }
    if let error = Client.TransportFailure.tls(error) { return error }
    let described = Client.TransportFailure(describing: error)
    guard error is IOError, let server else { return described }
    return Client.TransportFailure(described.kind, reason: "\(described.reason) (\(server))")
  }

  /// Returns the limit of SwiftNIO that a header exceeds; `nil` for other errors.
  private static func headerLimit(of error: any Error) -> String? {
    switch error {
    // `NIOHTTPDecoderConfiguration`, which AsyncHTTPClient does not change.
    case HTTPParserError.headerOverflow:
      "AsyncHTTPClient: 256 fields, 80 KiB for a field, 2 MiB in all"
    case is NIOHPACKErrors.MaxHeaderListSizeViolation,
      is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
      "AsyncHTTPClient over HTTP/2: 16 KiB"
    default: nil
    }
  }

  private init(describing error: any Error) {
    self =
      switch error {
      case let error as HTTPClientError: Client.TransportFailure(error)
      case let error as NIOConnectionError: Client.TransportFailure(error)
      case let error as IOError:
        Client.TransportFailure(POSIXErrorCode(rawValue: error.errnoCode), error)
      case let error as ChannelError: Client.TransportFailure(error)
      case HTTPParserError.invalidEOFState: .closed
      case is HTTPParserError:
        Client.TransportFailure(.protocolError, reason: "the response is not HTTP (\(error))")
      case is StaleConnectionError: .closed
      case is UnprocessedError:
        Client.TransportFailure(
          .lost, reason: "the server did not process the request (HTTP/2), even after a retry")
      case let error as NIOHTTP2Errors.StreamClosed where error.errorCode == .protocolError:
        Client.TransportFailure(
          .protocolError, reason: "the response is not HTTP/2 (\(error.errorCode))")
      case let error as NIOHTTP2Errors.StreamClosed:
        Client.TransportFailure(
          .lost, reason: "the server reset the HTTP/2 stream (\(error.errorCode))")
      case let error as NIOHTTP2Errors.StreamError:
        Client.TransportFailure(describing: error.baseError)
      case is NIOHTTP2Errors.IOOnClosedConnection: .closed
      case is any NIOHTTP2Error:
        Client.TransportFailure(.protocolError, reason: "the response is not HTTP/2 (\(error))")
      default: Client.TransportFailure(.other, reason: "\(error)")
      }
  }

  private init(_ error: HTTPClientError) {
    self =
      switch error {
      case .remoteConnectionClosed, .uncleanShutdown: .closed
      case .connectTimeout, .socksHandshakeTimeout, .httpProxyHandshakeTimeout:
        Client.TransportFailure(.unreachable, reason: "no connection could be established in time")
      case .tlsHandshakeTimeout:
        Client.TransportFailure(.unreachable, reason: "TLS: the handshake took too long")
      case .proxyAuthenticationRequired:
        Client.TransportFailure(.tls, reason: "the proxy requires other credentials (407)")
      case .invalidProxyResponse:
        Client.TransportFailure(
          .unreachable, reason: "the proxy refused the server, or could not connect to it")
      case .alreadyShutdown, .cancelled:
        Client.TransportFailure(.other, reason: "the HTTP client was shut down")
      // Only the short description, because the long one quotes header fields.
      default: Client.TransportFailure(.other, reason: error.shortDescription)
      }
  }

  private init(_ error: NIOConnectionError) {
    guard let failure = error.connectionErrors.last else {
      self.init(
        .nameNotResolved, reason: "the host name could not be resolved (\(error.host))")
      return
    }
    let address = "\(failure.target.ipAddress ?? error.host):\(error.port)"
    let described = Client.TransportFailure(describing: failure.error)
    self.init(described.kind, reason: "\(described.reason) (\(address))")
  }

  private init(_ error: ChannelError) {
    self =
      switch error {
      case .connectTimeout: Client.TransportFailure(HTTPClientError.connectTimeout)
      case .ioOnClosedChannel, .alreadyClosed, .inputClosed, .outputClosed, .eof: .closed
      default: Client.TransportFailure(.other, reason: "\(error)")
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
}
