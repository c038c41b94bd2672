/// Decides which connections a server keeps: a client with many connections never keeps out a
/// client with few.
package struct ConnectionShares {
  /// The phase of a connection, in the order in which connections are closed.
  package enum Phase: Comparable {
    case waiting
    case streaming
    case responding
  }

  private struct Connection {
    let client: IPAddress?
    var streamer: IPAddress?
    var phase = Phase.waiting
  }

  private let limits: LiveServerLimits
  private var connections: [Int: Connection] = [:]
  private var all = Share<Int, IPAddress>()
  private var streams = Share<Int, IPAddress>()
  private var lastID = 0

  package init(_ limits: LiveServerLimits) {
    self.limits = limits
  }

  /// The number of connections.
  package var count: Int { all.count }
  /// The number of connections that are streams.
  package var streamCount: Int { streams.count }

  /// Adds a connection.
  ///
  /// - Parameter client: The client; `nil` for a trusted proxy, or a socket without an address.
  /// - Returns: The connection's number, or `nil` if the connection is refused; and the number of
  ///   the connection that ends for it.
  package mutating func open(from client: IPAddress?) -> (id: Int?, ended: Int?) {
    var ended: Int?
    if let client, all.number(of: client) >= limits.connectionsPerClient {
      ended = first(of: all.clients[client])
      guard ended != nil else { return (nil, nil) }
    } else if all.count >= limits.connections {
      guard let largest = all.largest, all.number(of: largest) > all.number(of: client) + 1 else {
        return (nil, nil)
      }
      ended = first(of: all.clients[largest])
    }
    if let ended { close(ended) }
    lastID += 1
    connections[lastID] = Connection(client: client)
    all.insert(lastID, of: client)
    return (lastID, ended)
  }

  /// Sets the phase of a connection.
  package mutating func set(_ phase: Phase, of id: Int) {
    endStream(id)
    connections[id]?.phase = phase
  }

  /// Marks a connection as a stream; returns the number of the stream that ends for it, which may
  /// be its own.
  package mutating func beginStream(_ id: Int, for client: IPAddress?) -> Int? {
    guard connections[id] != nil else { return nil }
    endStream(id)
    connections[id]?.phase = .streaming
    connections[id]?.streamer = client
    streams.insert(id, of: client)
    var ended: Int?
    if let client, streams.number(of: client) > limits.streamsPerClient {
      ended = streams.clients[client]?.min()
    } else if streams.count > limits.streams {
      // The new stream ends if no client has more streams: it fails before its response begins, so
      // its browser waits longer each time.
      let largest = streams.largest.flatMap {
        streams.number(of: $0) > max(streams.number(of: client), 1)
          ? streams.clients[$0]?.min() : nil
      }
      ended = largest ?? id
    }
    if let ended { close(ended) }
    return ended
  }

  private mutating func endStream(_ id: Int) {
    guard let connection = connections[id], connection.phase == .streaming else { return }
    streams.remove(id, of: connection.streamer)
    connections[id]?.phase = .waiting
  }

  /// Removes a connection.
  package mutating func close(_ id: Int) {
    endStream(id)
    guard let connection = connections.removeValue(forKey: id) else { return }
    all.remove(id, of: connection.client)
  }

  /// Returns the connection to close first.
  private func first(of ids: Set<Int>?) -> Int? {
    ids?.min { a, b in
      guard let first = connections[a]?.phase, let second = connections[b]?.phase else {
        return false
      }
      return (first, a) < (second, b)
    }
  }
}
