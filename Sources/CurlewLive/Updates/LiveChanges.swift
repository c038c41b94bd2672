import CurlewScreens
import NIOCore

/// What one connection has to send: how a session's page differs from what its browser shows.
struct LiveChanges<Page: LivePage> {
  private let routes: LiveRoutes<Page>
  private let session: LiveSession<Page.Content>
  private let connection: Int
  private var shown: LiveView?
  /// The state and the last message that the browser knows of.
  private var sent: (state: Page.Content.State?, acknowledged: Int) = (nil, 0)
  /// The state that was last sent.
  var state: Page.Content.State? { sent.state }
  /// The number of the version that is being written.
  private var version: Int?
  /// How many bytes of changes are being written.
  private var bytes = 0
  /// How many navigations are being written: of those before the newest nobody needs to hear.
  private var navigations = 0

  /// - Parameters:
  ///   - connection: The number of the connection; 0 for none.
  ///   - version: The version of the markup that the browser shows; 0 for none.
  init(
    _ routes: LiveRoutes<Page>, in session: LiveSession<Page.Content>, for connection: Int = 0,
    since version: Int
  ) {
    (self.routes, self.session, self.connection) = (routes, session, connection)
    shown = session.view(version)
  }

  /// Returns the next events; `nil` when there is nothing to send.
  mutating func next(at now: Duration) -> ByteBuffer? {
    // One that has been replaced is read by nobody.
    guard session.isNewest(connection) else { return nil }
    // What nobody hears would only fill the buffers of what holds it back.
    guard session.isHeard else { return heartbeat(at: now).map { ByteBuffer(string: $0) } }
    var events = update()?.event ?? ""
    bytes = events.utf8.count
    // After the state in which the screen requested the navigation.
    let addresses = session.navigator.addresses
    navigations = addresses.count
    if let address = addresses.last { events += "event: go\ndata: \(address)\n\n" }
    if events.isEmpty { events = heartbeat(at: now) ?? "" }
    return events.isEmpty ? nil : ByteBuffer(string: events)
  }

  private func heartbeat(at now: Duration) -> String? {
    session.isSilent(at: now, for: routes.limits.heartbeat) ? ": still here\n\n" : nil
  }

  /// Returns what changes for a browser that asks, which shows it once it has the response.
  mutating func response() -> LiveUpdate {
    var update = update() ?? LiveUpdate()
    if let version, let shown { session.show(shown, as: version, by: nil) }
    version = nil
    // Until the tab says that it went there: the response may be lost.
    update.address = session.navigator.addresses.last
    return update
  }

  private mutating func update() -> LiveUpdate? {
    // Read in this order, so that the state includes at least the acknowledged messages.
    let acknowledged = session.acknowledged
    let state = session.runner.state
    // After an action also without a change: `é` in one and in two scalars are equal to Swift.
    guard sent.state != state || sent.acknowledged != acknowledged else { return nil }
    let (view, markup) = routes.view(of: state, in: session.language)
    var update = routes.update(from: shown, to: view, markup, in: session.language)
    if sent.acknowledged != acknowledged { update.acknowledged = acknowledged }
    sent = (state, acknowledged)
    if update.hasChanges {
      // Only then, so that it is the one that the session keeps, and not a second one like it.
      shown = view
      version = session.nextVersion()
      update.version = version
    }
    return update.isEmpty ? nil : update
  }

  /// Notes that the last events have been written.
  ///
  /// Only now the session keeps what its browser shows, and forgets where it was sent: one that has
  /// not got it is back soon.
  mutating func written(at now: Duration) {
    session.written(at: now, by: connection)
    session.navigator.remove(first: navigations)
    if let version, let shown { session.show(shown, as: version, by: connection) }
    version = nil
    if bytes > 0 { session.timeline?.add(.sent(bytes)) }
  }
}
