/// An event of a ``Fleet`` for its log: one at the beginning and one at the end of each outage.
public enum FleetEvent: Sendable, Equatable, CustomStringConvertible {
  /// The engine is away; values are local from now on.
  case away(FleetError)
  /// The engine is back after a time; `dropped` local values gave way to newer values of other servers.
  case back(after: Duration, dropped: Int)

  /// A sentence for a log.
  public var description: String {
    switch self {
    case .away(let error): "The fleet's engine is away, and values are local: \(error)"
    case .back(let time, let dropped):
      "The fleet's engine is back after \(time)"
        + (dropped > 0 ? "; \(dropped) of the local values gave way to newer ones." : ".")
    }
  }
}

/// The counts of a ``Fleet`` since it was created.
public struct FleetMetrics: Sendable, Equatable {
  /// Whether the engine is used; `false` during an outage.
  public internal(set) var isConnected = true
  /// The number of calls that the engine responded to.
  public internal(set) var calls = 0
  /// The total time of the calls that the engine responded to.
  public internal(set) var latency = Duration.zero
  /// The number of calls that failed.
  public internal(set) var failures = 0
  /// The number of outages that ended.
  public internal(set) var reconnections = 0
  /// The number of units that quotas denied.
  public internal(set) var denied = 0
}
