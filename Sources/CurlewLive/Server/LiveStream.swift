import CurlewScreens
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes a session's states to one connection, each new one once; while the connection is slow,
/// the states in between are left out.
struct LiveStream<Page: LivePage>: Sendable {
  private enum Signal {
    case change
    case heartbeat
  }

  private let page: Page
  private let session: LiveSession<Page.Content>
  private let clock: any Clock<Duration>
  private let limits: LiveLimits
  private let now: @Sendable () -> Duration
  /// States and heartbeats only signal: the state is read when the connection is ready for it, so it
  /// is the newest, and one buffered signal is enough.
  private let signals: AsyncStream<Signal>
  private let signal: AsyncStream<Signal>.Continuation

  /// - Parameter now: The time of the sessions, on `clock`.
  init(
    page: Page, session: LiveSession<Page.Content>, clock: any Clock<Duration>, limits: LiveLimits,
    now: @escaping @Sendable () -> Duration
  ) {
    self.page = page
    self.session = session
    self.clock = clock
    self.limits = limits
    self.now = now
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes until the connection or the session ends, or the server shuts down; the session counts
  /// as connected meanwhile.
  @concurrent
  func write(to writer: inout any ResponseBodyWriter) async throws {
    let connection = session.connect(at: now()) { [signal] in signal.yield(.change) }
    let states = Task { @concurrent in
      for await _ in session.runner.states { signal.yield(.change) }
      signal.finish()
    }
    let heartbeat = Task { @concurrent in
      while !Task.isCancelled {
        try? await clock.sleep(for: limits.heartbeat)
        signal.yield(.heartbeat)
      }
    }
    defer {
      states.cancel()
      session.disconnect(connection, at: now())
      // Last, so that who sees no heartbeat any more, as a test does, knows that nobody is connected.
      heartbeat.cancel()
    }
    try await withGracefulShutdownHandler {
      try await writeStates(to: &writer)
    } onGracefulShutdown: { [signal] in
      signal.finish()
    }
  }

  @concurrent
  private func writeStates(to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "event: hello\ndata: \(session.id)\n\n"))
    var written: (state: Page.Content.State, acknowledged: Int)?
    for await signal in signals {
      // In this order: a state is at least as new as what it is said to have seen.
      let acknowledged = session.acknowledged
      let state = session.runner.state
      let hasChanged = written.map { $0 != (state, acknowledged) } ?? true
      if hasChanged {
        written = (state, acknowledged)
        let update = LiveUpdate(page, state, acknowledged: acknowledged)
        try await writer.write(ByteBuffer(string: update.event))
      } else if signal == .heartbeat {
        try await writer.write(ByteBuffer(string: ": still here\n\n"))
      }
      // After the state in which the screen said so.
      if let address = session.navigator.take() {
        try await writer.write(ByteBuffer(string: LiveNavigation(address: address).event))
      }
    }
  }
}
