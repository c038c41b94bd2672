public import CurlewScreens

/// The limits on the server resources that browsers can use.
public struct LiveLimits: Sendable {
  /// The maximum number of sessions of one page.
  ///
  /// Each session takes a few kilobytes, plus its state, plus about 100 bytes for each of its ``fragments``.
  public var sessions = 1_000
  /// The maximum number of sessions of one page per client.
  ///
  /// A client is an IPv4 address, or the first 64 bits of an IPv6 address, also behind a trusted proxy.
  ///
  /// When a client at this limit opens another session, its longest-idle session ends; if all of its sessions are
  /// connected, the new page is not live. By default, a quarter of the default of ``sessions``.
  public var sessionsPerClient = 250
  /// The maximum number of sessions, and so of streams, of one page per visitor who is known (``LiveVisitors``), with the
  /// same effect.
  public var sessionsPerVisitor = 100
  /// The maximum number of actions of a known visitor of one page in 10 s.
  ///
  /// More actions wait in the browser (429).
  public var actionsPerVisitor = 400
  /// The interval at which an open stream is asked again who its visitor is.
  public var visitorInterval: Duration = .seconds(60)
  /// The time after which a browser's saved state is no longer restored, in whole hours.
  public var savedTime: Duration = .seconds(86_400)
  /// The time that a session is kept without a connection, for example while a phone sleeps.
  ///
  /// After that, a new session is created from the browser's address.
  public var idleTime: Duration = .seconds(120)
  /// The time that the session of a rendered page is kept until the page's script connects to it.
  public var connectTime: Duration = .seconds(20)
  /// The maximum time that the first rendering of a page waits for its content.
  public var renderTime: Duration = .seconds(4)
  /// The maximum size of a message from a browser, in bytes: an action, or a form, in which a character takes up to 12
  /// bytes.
  public var messageSize = 64 * 1024
  /// The maximum number of fragments of a page that are compared.
  ///
  /// A page with more fragments is sent completely when it changes.
  public var fragments = 20_000
  /// The interval of the heartbeats on a connection without changes, so that proxies don't close
  /// it.
  public var heartbeat: Duration = .seconds(15)
  /// What a mistake in a page's screen causes that would never end: in release builds, by default, only its session ends,
  /// and the browser begins another one.
  public var screenErrors = ScreenErrorPolicy.default

  /// Creates the default limits.
  public init() {}
}
