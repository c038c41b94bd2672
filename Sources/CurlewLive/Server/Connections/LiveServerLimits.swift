import Foundation

/// The limits on a server's connections, so that neither a single client nor stalled clients block
/// other clients.
///
/// When the limit on all connections is reached, a new connection replaces a connection of the
/// client with the most connections, if that client has at least two more connections than the new
/// connection's client; otherwise the new connection is refused. When a client's limit is reached,
/// the new connection replaces a connection of the same client. The server closes the oldest idle
/// connection; if there is none, the oldest stream; otherwise the oldest connection. A page whose
/// stream was closed reconnects.
public struct LiveServerLimits: Sendable {
  /// The maximum number of connections.
  ///
  /// By default, the process's limit on open files (`ulimit -n`) minus 200, which leaves room for
  /// requests to other servers, and at most 20,000.
  public var connections = Self.openFiles - 200
  /// The maximum number of connections per client: an IPv4 address, or the first 64 bits of an IPv6
  /// address, which identify a network.
  ///
  /// Trusted proxies are not limited. By default, a quarter of the default of ``connections``.
  public var connectionsPerClient = (Self.openFiles - 200) / 4
  /// The maximum number of streams; the other connections are kept for ordinary requests.
  ///
  /// By default, three quarters of the default of ``connections``.
  public var streams = (Self.openFiles - 200) * 3 / 4
  /// The maximum number of streams of one client, also of a client behind a trusted proxy.
  ///
  /// By default, a quarter of the default of ``connections``.
  public var streamsPerClient = (Self.openFiles - 200) / 4
  /// The time from the beginning of a connection to the end of the first request's head.
  public var headerTime: Duration = .seconds(10)
  /// The time from the end of a response to the end of the next request's head.
  public var idleTime: Duration = .seconds(60)
  /// The time from the end of a request's head to the end of its body; at most a second more once the response has ended.
  public var bodyTime: Duration = .seconds(30)
  /// The time in which a client must read a part of the response that is being sent.
  public var writeTime: Duration = .seconds(30)

  /// Creates the default limits.
  public init() {}

  /// The process's limit on open files, at least 300 and at most 20,200.
  private static let openFiles: Int = {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return 1_024 }
    return Int(min(max(limit.rlim_cur, 300), 20_200))
  }()
}
