/// A limit for the number of concurrent requests to each server.
public final class ConcurrencyLimit: Sendable {
  let queue: RequestQueue

  /// Creates a limit of this many concurrent requests to a server.
  public init(_ limit: Int) {
    queue = RequestQueue(limit: limit)
  }

  /// Returns the number of running requests to a server, until their response has been read, and the
  /// number of waiting requests.
  ///
  /// - Parameter host: The host, followed by the port unless it is the scheme's default.
  public func status(of host: String) -> (running: Int, waiting: Int) { queue.counts(of: host) }
}
