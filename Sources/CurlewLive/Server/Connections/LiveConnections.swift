import CoreMetrics
import NIOCore
import Synchronization

/// The connections of one server.
final class LiveConnections: Sendable {
  private struct State {
    var shares: ConnectionShares
    var channels: [Int: any Channel] = [:]
  }

  let limits: LiveServerLimits
  let proxies: TrustedProxies
  let names: ServerNames
  private let state: Mutex<State>
  private let connections = Gauge(label: "curlew.live.connections")
  private let streams = Gauge(label: "curlew.live.streams")
  private let bytes = Counter(label: "curlew.live.stream.bytes")

  init(limits: LiveServerLimits, hosts: [String]?, proxies: TrustedProxies) {
    self.limits = limits
    self.proxies = proxies
    names = ServerNames(hosts)
    state = Mutex(State(shares: ConnectionShares(limits)))
  }

  /// Adds a connection; returns its number, or `nil` if the connection is refused.
  func open(_ channel: any Channel, from peer: IPAddress?) -> Int? {
    let client = proxies.limited(peer)
    return change(counting: .limit) { state in
      let (id, ended) = state.shares.open(from: client)
      if let id { state.channels[id] = channel }
      return (id, ended)
    }
  }

  func beginStream(_ id: Int, for client: IPAddress?) {
    let client = proxies.limited(client)
    change(counting: .limit) { ((), $0.shares.beginStream(id, for: client)) }
  }

  func set(_ phase: ConnectionShares.Phase, of id: Int) {
    change { ($0.shares.set(phase, of: id), nil) }
  }

  func close(_ id: Int) {
    change { state in
      state.shares.close(id)
      state.channels[id] = nil
      return ((), nil)
    }
  }

  func count(streamed: Int) { bytes.increment(by: streamed) }

  /// The reason why the server closed a connection.
  enum Reason: String {
    case limit, header, body, write, host
  }

  func count(_ reason: Reason) {
    Counter(label: "curlew.live.connections.ended", dimensions: [("reason", reason.rawValue)])
      .increment()
  }

  /// Changes the shares, and closes the connection that ends as a result.
  @discardableResult
  private func change<Value>(
    counting reason: Reason? = nil, _ body: (inout State) -> (Value, ended: Int?)
  ) -> Value {
    let (value, ended, counts) = state.withLock { state in
      let (value, id) = body(&state)
      let ended = id.flatMap { state.channels.removeValue(forKey: $0) }
      return (value, ended, (state.shares.count, state.shares.streamCount))
    }
    connections.record(counts.0)
    streams.record(counts.1)
    if let ended {
      if let reason { count(reason) }
      ended.close(promise: nil)
    }
    return value
  }
}
