import HTTPTypes
import Synchronization

/// How many requests a client has in flight to each server, and how many wait.
public final class ConcurrencyLimit: Sendable {
  /// What goes on at one server.
  public struct Status: Sendable, Hashable {
    /// Requests whose answer is awaited or read.
    public var running: Int
    /// Requests that wait for their turn.
    public var waiting: Int
  }

  private struct Host {
    var running = 0
    var interactive: [Turn] = []
    var prefetch: [Turn] = []
  }

  private let limit: Int
  private let hosts = Mutex<[String: Host]>([:])

  /// Creates a limit of this many requests to a server at a time.
  public init(_ limit: Int) {
    self.limit = max(1, limit)
  }

  /// What goes on at a server, by its host, and port where it has an own one.
  public func status(of host: String) -> Status {
    hosts.withLock { hosts in
      guard let host = hosts[host] else { return Status(running: 0, waiting: 0) }
      return Status(
        running: host.running, waiting: host.interactive.count + host.prefetch.count)
    }
  }

  /// Takes a place; returns the turn to wait for when there is none.
  fileprivate func enter(_ name: String, _ priority: RequestPriority) -> Turn? {
    hosts.withLock { hosts in
      var host = hosts[name] ?? Host()
      defer { hosts[name] = host }
      guard host.running >= limit else {
        host.running += 1
        return nil
      }
      let turn = Turn()
      if priority == .interactive {
        host.interactive.append(turn)
      } else {
        host.prefetch.append(turn)
      }
      return turn
    }
  }

  fileprivate func giveUp(_ name: String, _ turn: Turn) {
    hosts.withLock { hosts in
      hosts[name]?.interactive.removeAll { $0 === turn }
      hosts[name]?.prefetch.removeAll { $0 === turn }
    }
  }

  /// Gives a place to the one who has waited longest.
  fileprivate func leave(_ name: String) {
    hosts.withLock { hosts in
      guard var host = hosts[name] else { return }
      defer { hosts[name] = host.running == 0 ? nil : host }
      while !host.interactive.isEmpty || !host.prefetch.isEmpty {
        let turn =
          host.interactive.isEmpty ? host.prefetch.removeFirst() : host.interactive.removeFirst()
        // The place passes on as it is; who was cancelled meanwhile does not take it.
        if turn.go() { return }
      }
      host.running -= 1
    }
  }

  /// A place, until nobody needs it any more.
  fileprivate final class Place: Sendable {
    let limit: ConcurrencyLimit
    let host: String

    init(_ limit: ConcurrencyLimit, _ host: String) {
      self.limit = limit
      self.host = host
    }

    deinit {
      limit.leave(host)
    }
  }
}

/// Lets only so many requests to one server run at a time; the others wait in their order, those that
/// a person waits for before the others.
///
/// A request holds its place until its answer's body is read or dropped.
public struct ConcurrencyLimitMiddleware: HopMiddleware {
  private let limit: ConcurrencyLimit

  /// Creates a middleware.
  public init(_ limit: ConcurrencyLimit) {
    self.limit = limit
  }

  /// Sends a request when it has a place.
  public func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = request.head.authority ?? ""
    if let turn = limit.enter(host, request.endpoint.priority) {
      do throws(Client.Error) {
        try await request.wait(for: turn)
      } catch {
        limit.giveUp(host, turn)
        throw error
      }
    }
    let place = ConcurrencyLimit.Place(limit, host)
    var response = try await next(request)
    response.body = response.body.holding(place)
    return response
  }
}

extension Middleware where Self == ConcurrencyLimitMiddleware {
  /// Lets only so many requests to one server run at a time.
  public static func concurrency(_ limit: Int) -> Self { Self(ConcurrencyLimit(limit)) }

  /// Lets only so many requests to one server run at a time.
  public static func concurrency(_ limit: ConcurrencyLimit) -> Self { Self(limit) }
}
