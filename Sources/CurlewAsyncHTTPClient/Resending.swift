import AsyncHTTPClient
import Curlew
import NIOCore

/// Decides whether the transport retries a failed request at once, without a middleware: only if the server did
/// not process it, or closed an idle connection just before.
struct Resending {
  /// The maximum number of consecutive refusals of a request while the server processes no other request.
  private static let maxRefusals = 5
  private static let maxAttempts = 100

  private var attempts = 0
  private var refusals = 0
  private var hasBeenStale = false

  /// Returns whether to retry a request, and counts the attempt.
  ///
  /// - Parameter isShared: Whether a new `HTTPClient` is created after a shutdown.
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

  /// Returns whether AsyncHTTPClient's connection timeout passed while the request waited for its turn on a shared
  /// connection (HTTP/2): the time limits of the request still apply.
  static func hasOnlyWaited(
    _ transfer: Transfer, in slot: RequestQueue.Slot, _ error: any Error
  ) -> Bool {
    guard !transfer.isSent else { return false }
    switch error as? HTTPClientError {
    case .getConnectionFromPoolTimeout: return slot.sharesConnection || slot.hasSeenOthersConnect
    // There was a connection before, for example if the server allows a hundred requests per connection.
    case .connectTimeout: return slot.hasSeenOthersConnect
    default: return false
    }
  }

  /// Returns whether the connection, or the whole client, was closed just before the request was sent, so that the
  /// server did not refuse it.
  private static func isTooLate(_ error: any Error, _ isShared: Bool) -> Bool {
    if error as? ChannelError == .ioOnClosedChannel { return true }
    switch error as? HTTPClientError {
    // AsyncHTTPClient cancels the requests that it has assigned to a closing connection.
    case .remoteConnectionClosed, .cancelled: return true
    case .alreadyShutdown: return isShared
    default: return false
    }
  }
}
