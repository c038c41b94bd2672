import CurlewTesting
import Synchronization

extension FaultServer {
  /// A connection to the server.
  public struct Connection: Sendable, Hashable {
    /// A side of the connection.
    public enum Side: Sendable, Hashable {
      /// The client.
      case client
      /// The server: because of a fault, or because it was stopped.
      case server
    }

    /// The number of the connection, from 0.
    public let number: Int
    /// The number of requests received on the connection so far.
    public internal(set) var requests = 0
    /// Whether the connection is open.
    public internal(set) var isOpen = true
    /// The side that closes the connection, if known.
    var closer: Side?

    /// The side that closed the connection; `nil` while it is open.
    public var closedBy: Side? { isOpen ? nil : closer }
  }

  /// The requests received so far, in order.
  public var requests: [WireRequest] { state.withLock { $0.requests } }

  /// The connections so far, in order.
  public var connections: [Connection] { state.withLock { $0.connections } }

  /// The number of open connections.
  public var openConnections: Int { connections.count { $0.isOpen } }

  /// Waits until this many requests have arrived since the server was started.
  public func waitForRequests(_ count: Int) async {
    await arrivals.wait(for: count)
  }

  /// Waits until this many responses were sent completely or abandoned.
  public func waitForResponses(_ count: Int) async {
    await responses.wait(for: count)
  }

  /// Waits until this many connections have closed since the server was started.
  public func waitForClosedConnections(_ count: Int) async {
    await closings.wait(for: count)
  }

  /// Records that the server is about to close a connection.
  func recordClosing(of connection: Int) {
    state.withLock { state in
      guard state.connections[connection].isOpen else { return }
      state.connections[connection].closer = .server
    }
  }

  /// Records that a connection has closed: by the client, unless the server was about to close it.
  func recordClosed(_ connection: Int) {
    state.withLock { state in
      state.connections[connection].isOpen = false
      if state.connections[connection].closer == nil {
        state.connections[connection].closer = .client
      }
    }
    closings.increment()
  }
}
