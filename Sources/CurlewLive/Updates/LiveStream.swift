import CurlewScreens
package import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes the changes of a session's state to one connection; while the connection is slow, intermediate states are
/// skipped.
package struct LiveStream<Page: LivePage>: Sendable {
  private let routes: LiveRoutes<Page>
  private let session: LiveSession<Page>
  private let version: Int
  private let number: Int
  private let isNew: Bool
  private let isCurrent: (@Sendable () async -> Bool)?
  /// The signals that there may be something to write.
  ///
  /// The newest state is read only when the connection is ready for it, so one buffered signal is
  /// enough.
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - version: The version of the markup that the browser shows; 0 for none.
  ///   - number: The browser's number for the stream.
  ///   - isNew: Whether the browser must treat the session as new, even if its request named the session.
  ///   - isCurrent: A closure that asks again whether the visitor is still the session's; `nil` for anyone.
  package init(
    _ routes: LiveRoutes<Page>, _ session: LiveSession<Page>, version: Int = 0,
    number: Int = 0, isNew: Bool = false, isCurrent: (@Sendable () async -> Bool)? = nil
  ) {
    (self.routes, self.session) = (routes, session)
    (self.version, self.number, self.isNew) = (version, number, isNew)
    self.isCurrent = isCurrent
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes until the connection or the session ends, or the server shuts down; during that time
  /// the session counts as connected.
  ///
  /// An open stream costs the memory that this function and the functions that it awaits keep on their task's stack, so
  /// all other work is done in synchronous functions.
  @concurrent
  package func write(to writer: inout any ResponseBodyWriter) async throws {
    let connection = session.connect(
      .init(
        number: number, wake: { [signal] in signal.yield() }, end: end, isCurrent: isCurrent),
      at: routes.sessions.now)
    defer { session.disconnect(connection, at: routes.sessions.now) }
    // Nothing would manage a session that was removed since the request; the tab reconnects.
    guard routes.sessions[session.id] === session else { return }
    signal.yield()
    try await withGracefulShutdownHandler {
      try await writeChanges(for: connection, to: &writer)
    } onGracefulShutdown: { [session] in
      session.close()
    }
  }

  /// A closure that ends the stream; it retains nothing else of the stream.
  package var end: @Sendable () -> Void { { [signal] in signal.finish() } }

  @concurrent
  private func writeChanges(
    for connection: Int, to writer: inout any ResponseBodyWriter
  ) async throws {
    var changes = LiveChanges(routes, in: session, for: connection, since: version)
    let hello = isNew ? "\(session.id) new" : session.id
    // Written immediately, with a comment first, so that the tab knows that no proxy holds the stream back.
    try await writer.write(ByteBuffer(string: ":\nevent: hello\ndata: \(hello)\n\n"))
    for await _ in signals {
      // Read before the state, which then includes all actions.
      let isClosed = session.isClosed
      if let events = changes.next(at: routes.sessions.now) {
        try await writer.write(events)
        changes.written(at: routes.sessions.now)
      }
      if isClosed { break }
    }
    if session.isSignedOut { try await writer.write(ByteBuffer(string: "event: out\ndata:\n\n")) }
    // The browser reconnects, to this server's successor or to another server.
    if Task.isShuttingDownGracefully {
      try await writer.write(ByteBuffer(string: "event: bye\ndata:\n\n"))
    }
  }
}
