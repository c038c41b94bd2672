import CurlewScreens
package import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes what changes in a session's state to one connection; while the connection is slow,
/// intermediate states are skipped.
package struct LiveStream<Page: LivePage>: Sendable {
  private enum Signal {
    case change
    case heartbeat
    /// The server shuts down.
    case shutdown
  }

  private let page: Page
  private let session: LiveSession<Page.Content>
  private let clock: any Clock<Duration>
  private let limits: LiveLimits
  private let key: LiveKey
  private let now: @Sendable () -> Duration
  /// The version of the markup that the browser shows; 0 for none.
  private let version: Int
  /// Whether the session began with this stream, although the browser may have named it.
  private let isNew: Bool
  /// The signals that there is something to write.
  ///
  /// The newest state is read only when the connection is ready for it, so one buffered signal is
  /// enough.
  private let signals: AsyncStream<Signal>
  private let signal: AsyncStream<Signal>.Continuation

  /// - Parameters:
  ///   - version: The version of the markup that the browser shows; 0 for none.
  ///   - isNew: Whether the session began with this stream.
  ///   - now: A closure that returns the current time of the sessions' clock.
  package init(
    page: Page, session: LiveSession<Page.Content>, clock: any Clock<Duration>, limits: LiveLimits,
    key: LiveKey = .random(), version: Int = 0, isNew: Bool = false,
    now: @escaping @Sendable () -> Duration
  ) {
    self.page = page
    self.session = session
    self.clock = clock
    self.limits = limits
    self.key = key
    self.now = now
    self.version = version
    self.isNew = isNew
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes until the connection or the session ends, or the server shuts down; during that time
  /// the session counts as connected.
  @concurrent
  package func write(to writer: inout any ResponseBodyWriter) async throws {
    let connection = session.connect(
      .init(wake: { [signal] in signal.yield(.change) }, end: end),
      at: now())
    let heartbeat = Task { @concurrent in
      while !Task.isCancelled {
        try? await clock.sleep(for: limits.heartbeat)
        signal.yield(.heartbeat)
      }
    }
    defer {
      session.disconnect(connection, at: now())
      // Cancelled last, so that a test that sees the heartbeat end knows that the session has been
      // disconnected.
      heartbeat.cancel()
    }
    signal.yield(.change)
    try await withGracefulShutdownHandler {
      try await writeStates(of: connection, to: &writer)
    } onGracefulShutdown: { [signal] in
      signal.yield(.shutdown)
      signal.finish()
    }
  }

  /// Ends the stream.
  package func end() { signal.finish() }

  @concurrent
  private func writeStates(
    of connection: Int, to writer: inout any ResponseBodyWriter
  ) async throws {
    let hello = isNew ? "\(session.id) new" : session.id
    try await writer.write(ByteBuffer(string: "event: hello\ndata: \(hello)\n\n"))
    var shown = session.view(version)
    var written: (state: Page.Content.State?, acknowledged: Int) = (nil, 0)
    for await signal in signals {
      // Read in this order, so that the state includes at least the acknowledged messages.
      let acknowledged = session.acknowledged
      let state = session.runner.state
      var update = LiveUpdate()
      // After an action also without a change: `é` in one and in two scalars are equal to Swift.
      if written.state != state || written.acknowledged != acknowledged {
        let (view, markup) = LiveView.render(
          page, state, limit: limits.fragments, key: key)
        update = LiveUpdate(from: shown, to: view, markup: markup)
        shown = view
      }
      if written.acknowledged != acknowledged { update.acknowledged = acknowledged }
      written = (state, acknowledged)
      if !update.isEmpty {
        try await write(update, showing: shown, by: connection, to: &writer)
      } else if signal == .heartbeat {
        try await writer.write(ByteBuffer(string: ": still here\n\n"))
      }
      // Written after the state in which the screen requested the navigation.
      if let address = session.navigator.take() {
        try await writer.write(ByteBuffer(string: LiveNavigation(address: address).event))
      }
      // The browser connects again: to this server's successor, or to another one.
      if signal == .shutdown { try await writer.write(ByteBuffer(string: "event: bye\ndata:\n\n")) }
    }
  }

  @concurrent
  private func write(
    _ update: LiveUpdate, showing view: LiveView?, by connection: Int,
    to writer: inout any ResponseBodyWriter
  ) async throws {
    var update = update
    // A view is kept once it was written: a browser that has not got it says so when it is back.
    if update.hasChanges { update.version = session.nextVersion() }
    try await writer.write(ByteBuffer(string: update.event))
    if let version = update.version, let view { session.show(view, as: version, by: connection) }
  }
}
