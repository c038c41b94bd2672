import CurlewScreens
import NIOCore

/// The changes that one connection has to send: the difference between a session's page and the
/// view that its browser shows.
struct LiveChanges<Page: LivePage> {
  private let routes: LiveRoutes<Page>
  private let session: LiveSession<Page>
  private let connection: Int
  private let message: Int?
  private var shown: LiveView?
  /// The state and the number of the last message that the browser has received.
  private var sent: (snapshot: Snapshot<Page.Content.State>?, acknowledged: Int) = (nil, 0)
  /// The state and the activity that were last sent.
  var snapshot: Snapshot<Page.Content.State>? { sent.snapshot }
  /// The number of the version that is being written.
  private var version: Int?
  /// The number of bytes of changes that are being written.
  private var bytes = 0
  /// The number of navigations that are being written; only the newest address is sent.
  private var navigations = 0

  /// - Parameters:
  ///   - connection: The number of the connection; 0 for none.
  ///   - message: The number of the message to respond to; `nil` for a stream.
  ///   - version: The version of the markup that the browser shows; 0 for none.
  init(
    _ routes: LiveRoutes<Page>, in session: LiveSession<Page>, for connection: Int = 0,
    to message: Int? = nil, since version: Int
  ) {
    (self.routes, self.session, self.connection) = (routes, session, connection)
    self.message = message
    shown = session.view(version, acknowledgedBy: message)
  }

  /// Returns the next events; `nil` when there is nothing to send.
  mutating func next(at now: Duration) -> ByteBuffer? {
    // The browser no longer reads a connection that was replaced.
    guard session.isNewest(connection) else { return nil }
    // Events that the browser doesn't receive would only fill the buffers of the proxy that holds
    // them back.
    guard session.isReceiving else { return heartbeat(at: now).map { ByteBuffer(string: $0) } }
    var events = update()?.event ?? ""
    bytes = events.utf8.count
    // The navigation follows the state in which the screen requested it.
    let addresses = session.navigator.addresses
    navigations = addresses.count
    if let address = addresses.last { events += "event: go\ndata: \(address)\n\n" }
    if events.isEmpty { events = heartbeat(at: now) ?? "" }
    return events.isEmpty ? nil : ByteBuffer(string: events)
  }

  private func heartbeat(at now: Duration) -> String? {
    session.isSilent(at: now, for: routes.limits.heartbeat) ? ": still here\n\n" : nil
  }

  /// Returns the changes for a browser that polls, which shows them once it has the response.
  mutating func response() -> LiveUpdate {
    var update = update() ?? LiveUpdate()
    if let version, let shown, let message {
      session.recordUnconfirmed(shown, as: version, for: message)
    }
    version = nil
    // The address is sent until the tab confirms the navigation, because a response may be lost.
    update.address = session.navigator.addresses.last
    return update
  }

  private mutating func update() -> LiveUpdate? {
    // Read in this order, so that the state includes at least the acknowledged messages.
    let acknowledged = session.acknowledged
    let snapshot = Snapshot(session.runner)
    // Rendered after each action, even if the states are equal: Swift treats precomposed and
    // decomposed `é` as equal.
    guard sent.snapshot != snapshot || sent.acknowledged != acknowledged else { return nil }
    let (view, markup) = routes.view(of: snapshot, in: session.language, for: session.visitorID)
    var update = routes.update(from: shown, to: view, markup, in: session.language)
    if sent.acknowledged != acknowledged { update.acknowledged = acknowledged }
    sent = (snapshot, acknowledged)
    if update.hasChanges {
      // Replaced only if there are changes, so that the session stores this view and not a second,
      // equal view.
      shown = view
      version = session.nextVersion()
      update.version = version
    }
    return update.isEmpty ? nil : update
  }

  /// Records that the last events have been written.
  ///
  /// Only now does the session store the view and remove the sent navigations: a browser that did
  /// not receive the events reconnects soon.
  mutating func written(at now: Duration) {
    session.written(at: now, by: connection)
    session.navigator.remove(first: navigations)
    if let version, let shown { session.show(shown, as: version, by: connection) }
    version = nil
    if bytes > 0 { session.timeline?.add(.sent(bytes)) }
  }
}
