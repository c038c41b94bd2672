/// A limit for the number of concurrent requests to each server.
public final class ConcurrencyLimit: Sendable {
  /// The number of requests to one server.
  public struct Status: Sendable, Hashable {
    /// The number of requests whose response is awaited or read.
    public var running: Int
    /// The number of requests that wait for others to end.
    public var waiting: Int
  }

  let queue: RequestQueue

  /// Creates a limit of this many concurrent requests to a server.
  public init(_ limit: Int) {
    queue = RequestQueue(limit: limit)
  }

  /// Returns the number of requests to a server, by its host, followed by the port unless it is the
  /// scheme's default.
  public func status(of host: String) -> Status {
    let (running, waiting) = queue.counts(of: host)
    return Status(running: running, waiting: waiting)
  }
}
