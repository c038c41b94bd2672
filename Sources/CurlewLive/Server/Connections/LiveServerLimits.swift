import Foundation

/// The limits on the connections of a server, so that no client, and no number of stalled ones,
/// keeps others from being served.
///
/// When a limit is reached, a new connection takes the place of one of the client that has the most,
/// unless that is its own client: of those that wait for a request, else of the streams, else of
/// the others, the oldest one ends. A page whose stream has ended connects again.
public struct LiveServerLimits: Sendable {
  /// The maximum number of connections.
  ///
  /// By default, 200 fewer than the process may have open files (`ulimit -n`), which leaves room for
  /// requests to other servers, and at most 20,000.
  public var connections = Self.openFiles - 200
  /// The maximum number of connections of one client: an IPv4 address, or the first 64 bits of an
  /// IPv6 address, which is what one network gets.
  ///
  /// Trusted proxies are not limited. By default, a quarter of the default of ``connections``.
  public var connectionsPerClient = (Self.openFiles - 200) / 4
  /// The maximum number of streams; the other connections are kept for ordinary requests.
  ///
  /// By default, three quarters of the default of ``connections``.
  public var streams = (Self.openFiles - 200) * 3 / 4
  /// The maximum number of streams of one client, also of one behind a trusted proxy.
  ///
  /// By default, a quarter of the default of ``connections``.
  public var streamsPerClient = (Self.openFiles - 200) / 4
  /// The time from the beginning of a connection to the end of the first request's head.
  public var headerTime: Duration = .seconds(10)
  /// The time from the end of a response to the end of the next request's head.
  public var idleTime: Duration = .seconds(60)
  /// The time from the end of a request's head to the end of its body.
  public var bodyTime: Duration = .seconds(30)
  /// The time in which a client must read something of what is being sent to it.
  public var writeTime: Duration = .seconds(30)

  /// Creates the default limits.
  public init() {}

  /// The files that the process may have open, at least 300 and at most 20,200.
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
