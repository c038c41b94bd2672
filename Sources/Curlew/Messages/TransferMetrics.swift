/// The durations of the steps of a request on the wire, measured by a transport.
///
/// On Apple's systems, `URLSession` measures them. A custom transport reports them with
/// ``OutgoingRequest/report(_:)``.
public struct TransferMetrics: Sendable, Hashable {
  /// The negotiated protocol (ALPN, RFC 7301), such as `h2`, `h3` or `http/1.1`; `nil` if it is unknown.
  public var networkProtocol: String?
  /// Whether the connection was reused from an earlier request.
  public var isConnectionReused = false
  /// The time of the DNS lookup; `nil` without a lookup.
  public var nameLookup: Duration?
  /// The time to connect, without the TLS handshake; `nil` for a reused connection.
  public var connect: Duration?
  /// The time of the TLS handshake; `nil` without a handshake.
  public var tls: Duration?
  /// The time from the end of the request until the first byte of the response.
  public var response: Duration?
  /// The time from the first to the last byte of the response.
  public var transfer: Duration?

  /// Creates metrics without values.
  public init() {}
}

extension OutgoingRequest {
  /// Reports a transport's metrics of this request to the client's observers, as
  /// ``RequestEvent/Stage/measured(_:)``.
  public func report(_ metrics: TransferMetrics) {
    transfer?.attempt?.report(.measured(metrics))
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
