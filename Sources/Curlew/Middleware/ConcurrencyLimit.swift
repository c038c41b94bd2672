/// How many requests a client has in flight to each server, and how many wait.
public final class ConcurrencyLimit: Sendable {
  /// The requests to one server.
  public struct Status: Sendable, Hashable {
    /// Requests whose response is awaited or read.
    public var running: Int
    /// Requests that wait for others to end.
    public var waiting: Int
  }

  let queue: RequestQueue

  /// Creates a limit of this many requests to a server at a time.
  public init(_ limit: Int) {
    queue = RequestQueue(limit: limit)
  }

  /// The requests to a server, by its host, with the port where it is not the scheme's own.
  public func status(of host: String) -> Status {
    let (running, waiting) = queue.counts(of: host)
    return Status(running: running, waiting: waiting)
  }
}
