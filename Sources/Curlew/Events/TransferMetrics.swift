/// What a transport measured of a request on the wire: how long its steps took.
///
/// `URLSession` measures on Apple's systems. A transport of your own reports with
/// ``OutgoingRequest/report(_:)``.
public struct TransferMetrics: Sendable, Hashable {
  /// The protocol that was negotiated (ALPN, RFC 7301), such as `h2`, `h3` or `http/1.1`; `nil` if it is not known.
  public var networkProtocol: String?
  /// Whether the connection had been opened before, for another request.
  public var isConnectionReused = false
  /// The time to look up the host's name; `nil` if it was not looked up.
  public var nameLookup: Duration?
  /// The time to connect, without that for TLS; `nil` with a reused connection.
  public var connect: Duration?
  /// The time for the TLS handshake; `nil` if there was none.
  public var tls: Duration?
  /// The time from the end of the request until the first byte of the response.
  public var response: Duration?
  /// The time from the first byte of the response until its last one.
  public var transfer: Duration?

  /// Creates metrics without values.
  public init() {}
}

extension OutgoingRequest {
  /// Tells the client's observers what a transport measured of this request:
  /// ``RequestEvent/Stage/measured(_:)``.
  public func report(_ metrics: TransferMetrics) {
    (transfer?.observer as? AttemptObservation)?.report(.measured(metrics))
  }
}

extension TransferMetrics: CustomStringConvertible {
  /// `h2, new connection: name 0.012 s, connect 0.020 s, TLS 0.031 s; response 0.102 s, transfer 0.004 s`.
  public var description: String {
    func times(_ list: [(String, Duration?)]) -> String {
      list.compactMap { name, time in time.map { "\(name) \($0.rounded)" } }.joined(separator: ", ")
    }
    let connection =
      [networkProtocol, isConnectionReused ? "reused connection" : "new connection"]
      .compactMap(\.self).joined(separator: ", ")
    let opening = times([("name", nameLookup), ("connect", connect), ("TLS", tls)])
    let exchange = times([("response", response), ("transfer", transfer)])
    return connection + (opening.isEmpty ? "" : ": \(opening)")
      + (exchange.isEmpty ? "" : "; \(exchange)")
  }
}
