import AsyncHTTPClient
import Curlew
import NIOCore

/// Decides whether a request that failed in the transport is sent again at once, without a middleware:
/// only if the server did not process it, or closed an idle connection just before.
struct Resending {
  /// The number of times in a row that a server may refuse a request while it processes no other one.
  private static let maxRefusals = 5
  private static let maxAttempts = 100

  private var attempts = 0
  private var refusals = 0
  private var hasBeenStale = false

  /// Returns whether to send a request again, which is counted.
  ///
  /// - Parameter isShared: Whether the client makes a new `HTTPClient` after one was shut down.
  mutating func allows(
    _ request: OutgoingRequest, after error: any Error, of transfer: Transfer, isShared: Bool
  ) -> Bool {
    guard request.body?.isRepeatable ?? true || !transfer.hasTakenBody else { return false }
    attempts += 1
    guard attempts <= Self.maxAttempts else { return false }
    if error is StaleConnectionError {
      defer { hasBeenStale = true }
      return !hasBeenStale && request.declaration.isRetryable
    }
    guard let unprocessed = error as? UnprocessedError else {
      return !transfer.isSent && Self.isTooLate(error, isShared)
    }
    refusals = unprocessed.isProgress ? 0 : refusals + 1
    return refusals <= Self.maxRefusals
  }

  /// Returns whether AsyncHTTPClient's time to connect has ended while the request waited for its turn on a shared
  /// connection (HTTP/2): the time limits of the request still apply.
  static func hasOnlyWaited(
    _ transfer: Transfer, in slot: RequestQueue.Slot, _ error: any Error
  ) -> Bool {
    guard !transfer.isSent else { return false }
    switch error as? HTTPClientError {
    case .getConnectionFromPoolTimeout: return slot.sharesConnection || slot.hasSeenOthersConnect
    // There is no connection now; there was one, as when each takes a hundred requests.
    case .connectTimeout: return slot.hasSeenOthersConnect
    default: return false
    }
  }

  /// Returns whether the connection, or the whole client, was closed just before the request was sent: no
  /// refusal by the server.
  private static func isTooLate(_ error: any Error, _ isShared: Bool) -> Bool {
    if error as? ChannelError == .ioOnClosedChannel { return true }
    switch error as? HTTPClientError {
    // AsyncHTTPClient cancels what it has given to a connection that is closing.
    case .remoteConnectionClosed, .cancelled: return true
    case .alreadyShutdown: return isShared
    default: return false
    }
  }
}
