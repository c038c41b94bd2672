/// The limits on the server's resources that browsers may use.
public struct LiveLimits: Sendable {
  /// The maximum number of sessions of one page.
  ///
  /// Each takes some kilobytes, its state, and about 100 bytes for each of its ``fragments``.
  public var sessions = 1_000
  /// The maximum number of sessions of one page that one client has: an IPv4 address, or the first
  /// 64 bits of an IPv6 address, also of a client behind a trusted proxy.
  ///
  /// When a client that has as many opens another, the one that has been idle for the longest time ends; when
  /// all of them are connected, the new page is not live. By default, a quarter of the default of ``sessions``.
  public var sessionsPerClient = 250
  /// The time that a session is kept without a connection, for example while a phone sleeps.
  ///
  /// After that, a new session is created from the browser's address.
  public var idleTime: Duration = .seconds(120)
  /// The time that the session of a rendered page is kept until the page's script connects to it.
  public var connectTime: Duration = .seconds(20)
  /// The maximum time that the first rendering of a page waits for its content.
  public var renderTime: Duration = .seconds(4)
  /// The maximum size of a message from a browser, in bytes: of an action, or of a form, in which a
  /// character takes up to 12.
  public var messageSize = 64 * 1024
  /// The maximum number of fragments of a page that are compared.
  ///
  /// A page with more is sent as a whole when it changes.
  public var fragments = 20_000
  /// The interval of the heartbeats on a connection without changes, so that proxies don't close
  /// it.
  public var heartbeat: Duration = .seconds(15)

  /// Creates the default limits.
  public init() {}
}
