import CurlewTesting
import Synchronization

extension FaultServer {
  /// A connection to the server.
  public struct Connection: Sendable, Hashable {
    /// One of its two ends.
    public enum Side: Sendable, Hashable {
      /// The client.
      case client
      /// The server: because a fault said so, or because it was stopped.
      case server
    }

    /// Which connection it is, from 0.
    public let number: Int
    /// How many requests came on it so far.
    public internal(set) var requests = 0
    /// Whether it is open now.
    public internal(set) var isOpen = true
    /// Who closes it, when that is known.
    var closer: Side?

    /// Who closed it; `nil` while it is open.
    public var closedBy: Side? { isOpen ? nil : closer }
  }

  /// The requests that came so far, in their order.
  public var requests: [WireRequest] { state.withLock { $0.requests } }

  /// The connections that were made so far, in their order.
  public var connections: [Connection] { state.withLock { $0.connections } }

  /// How many connections are open now.
  public var openConnections: Int { connections.count { $0.isOpen } }

  /// Waits until this many requests have come since the server was started.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Waits until this many responses were given to their end, or given up.
  public func waitForResponses(_ count: Int) async {
    await responses.wait(for: count)
  }

  /// Waits until this many connections were closed since the server was started.
  public func waitForClosedConnections(_ count: Int) async {
    await closings.wait(for: count)
  }

  /// Notes that the server is about to close a connection.
  func noteClose(of connection: Int) {
    state.withLock { state in
      guard state.connections[connection].isOpen else { return }
      state.connections[connection].closer = .server
    }
  }

  /// Notes that a connection is closed: by the client, unless the server was about to.
  func noteClosed(_ connection: Int) {
    state.withLock { state in
      state.connections[connection].isOpen = false
      if state.connections[connection].closer == nil {
        state.connections[connection].closer = .client
      }
    }
    closings.increment()
  }
}
