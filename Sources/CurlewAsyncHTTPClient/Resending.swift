import AsyncHTTPClient
import Curlew
import NIOCore

/// Decides whether the transport retries a failed request at once, without a middleware: only if the server did
/// not process it, closed an idle connection just before, or lets a new connection wait.
struct Resending {
  /// The maximum number of consecutive refusals of a request while the server processes no other request.
  private static let maxRefusals = 5
  private static let maxAttempts = 100
  /// The maximum number of further connections after connections that the server closed at once: to a server that has
  /// served requests, several attempts may meet connections that are just ending.
  private static let maxCloses = (new: 2, known: 20)
  /// The wait before another connection, except for the first.
  private static let wait = Duration.milliseconds(100)

  private var attempts = 0
  private var refusals = 0
  private var closes = 0
  private var hasBeenStale = false
  private var hasAbandonedPool = false

  /// Returns how the connect limit of the next attempt starts: in halves if there can be another connection pool.
  func limitStart(of request: OutgoingRequest, isShared: Bool) -> LimitStart {
    guard isShared, request.head.scheme == "https" else { return .whole }
    return hasAbandonedPool ? .secondHalf : .halves
  }

  /// Returns the wait before a retry of a request, and counts the attempt; `nil` for no retry.
  ///
  /// - Parameter isShared: Whether a new `HTTPClient` is created after a shutdown.
  mutating func wait(
    _ request: OutgoingRequest, after error: any Error, of transfer: Transfer,
    in slot: RequestQueue.Slot, isShared: Bool
  ) -> Duration? {
    if error is NoConnectionError {
      hasAbandonedPool = true
      return .zero
    }
    if Self.hasOnlyWaited(transfer, in: slot, error) { return .zero }
    guard request.body?.isRepeatable ?? true || !transfer.hasTakenBody else { return nil }
    attempts += 1
    guard attempts <= Self.maxAttempts else { return nil }
    if error is StaleConnectionError {
      defer { hasBeenStale = true }
      return !hasBeenStale && request.isRetryable ? .zero : nil
    }
    guard let unprocessed = error as? UnprocessedError else {
      guard !transfer.isSent, Self.isTooLate(error, isShared) else { return nil }
      return waitAfterClose(request, in: slot)
    }
    refusals = unprocessed.isProgress ? 0 : refusals + 1
    return refusals <= Self.maxRefusals ? .zero : nil
  }

  /// Returns the wait before another connection; `nil` after three connections to a server that served no request.
  ///
  /// AsyncHTTPClient reports a connection that ends before the server's SETTINGS (`HTTP2Connection._start0`) as it
  /// reports one that ends just before a request is sent, which is usual over HTTP/1.1.
  private mutating func waitAfterClose(
    _ request: OutgoingRequest, in slot: RequestQueue.Slot
  ) -> Duration? {
    let history = slot.history
    guard request.head.scheme == "https", !slot.hasSeenOthersConnect,
      !history.hasConnections || history.isShared
    else { return .zero }
    defer { closes += 1 }
    guard closes < (history.hasConnections ? Self.maxCloses.known : Self.maxCloses.new) else {
      return nil
    }
    return closes == 0 ? .zero : Self.wait
  }

  /// Returns whether AsyncHTTPClient's connection timeout passed while the request waited for its turn on a shared
  /// connection (HTTP/2): the time limits of the request still apply.
  private static func hasOnlyWaited(
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

/// An error for a request that got no connection in half of its time limit.
struct NoConnectionError: Error {}
