import AsyncHTTPClient
import Curlew
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Says in a few words why a request was not answered.
struct TransferFailure: Error, CustomStringConvertible {
  let description: String

  /// Returns what AsyncHTTPClient threw in words of ours; a cancellation as it is.
  static func describing(_ error: any Error) -> any Error {
    if error is CancellationError || error is TransferFailure || error is TrustFailure {
      return error
    }
    if case HTTPParserError.headerOverflow = error { return HeaderTooLong() }
    if let problem = TLSProblem(error) { return problem.failure() }
    return TransferFailure(description: text(of: error))
  }

  /// Does the same for what was thrown before there was an answer: names the server, where that is
  /// all that is known.
  static func describing(_ error: any Error, from server: String) -> any Error {
    guard error is IOError else { return describing(error) }
    return TransferFailure(description: "\(text(of: error)) (\(server))")
  }

  private static func text(of error: any Error) -> String {
    #if canImport(Network)
      if let text = text(ofNetwork: error) { return text }
    #endif
    return switch error {
    case let error as HTTPClientError: text(of: error)
    case let error as NIOConnectionError: text(of: error)
    case let error as IOError: text(of: error)
    case ChannelError.connectTimeout: text(of: HTTPClientError.connectTimeout)
    case HTTPParserError.invalidEOFState: text(of: HTTPClientError.remoteConnectionClosed)
    case is HTTPParserError: "the answer is not HTTP (\(error))"
    default: "\(error)"
    }
  }

  private static func text(of error: HTTPClientError) -> String {
    switch error {
    case .remoteConnectionClosed: "the connection was closed before the answer was complete"
    case .connectTimeout: "no connection could be made in time"
    case .getConnectionFromPoolTimeout: "no connection was free in time"
    case .tlsHandshakeTimeout: "TLS: the handshake took too long"
    case .alreadyShutdown, .cancelled: "the HTTP client was shut down"
    // The short description only: the long one quotes header fields.
    default: error.shortDescription
    }
  }

  private static func text(of error: NIOConnectionError) -> String {
    guard let failure = error.connectionErrors.last else {
      return "the host name could not be resolved (\(error.host))"
    }
    let address = "\(failure.target.ipAddress ?? error.host):\(error.port)"
    return "\(text(of: failure.error)) (\(address))"
  }

  private static func text(of error: IOError) -> String {
    POSIXErrorCode(rawValue: error.errnoCode).flatMap(text(of:)) ?? "\(error)"
  }

  private static func text(of code: POSIXErrorCode) -> String? {
    switch code {
    case .ECONNREFUSED: "connection refused"
    case .ECONNRESET, .EPIPE: "the connection was reset before the answer was complete"
    case .EHOSTUNREACH: "the host can't be reached"
    case .ENETUNREACH, .ENETDOWN: "the network can't be reached"
    case .ETIMEDOUT: "the connection timed out"
    default: nil
    }
  }

  #if canImport(Network)
    private static func text(ofNetwork error: any Error) -> String? {
      switch error {
      case let error as HTTPClient.NWPOSIXError: text(of: error.errorCode) ?? "\(error)"
      case is HTTPClient.NWDNSError: "the host name could not be resolved"
      default: nil
      }
    }
  #endif
}
