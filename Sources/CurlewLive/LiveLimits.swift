/// How much browsers may ask of the server that runs their screens.
public struct LiveLimits: Sendable {
  /// Screens that are kept for one page: a thousand tabs, at a few kilobytes each.
  public var sessions = 1_000
  /// How long a screen is kept that no browser is connected to, as on a phone that sleeps.
  ///
  /// After that the address brings it back.
  public var idleTime: Duration = .seconds(120)
  /// How long a screen is kept that a page was drawn for and no script asked about.
  public var adoptionTime: Duration = .seconds(20)
  /// How long the first drawing of a page waits for its content.
  public var settleTime: Duration = .seconds(4)
  /// Bytes of one message from a browser.
  public var messageSize = 16 * 1024
  /// How often a silent connection is shown to be alive: proxies close those that are not.
  public var heartbeat: Duration = .seconds(15)

  /// Creates the limits that a site has by default.
  public init() {}
}
