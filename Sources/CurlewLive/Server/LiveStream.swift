import CurlewScreens
package import Hummingbird
import NIOCore
import ServiceLifecycle

/// Writes a session's states to one connection, each new one once; while the connection is slow,
/// the states in between are left out.
package struct LiveStream<Page: LivePage>: Sendable {
  private enum Knock {
    case news
    case heartbeat
  }

  private let page: Page
  private let session: LiveSession<Page.Content>
  private let clock: any Clock<Duration>
  private let limits: LiveLimits
  private let now: @Sendable () -> Duration
  /// States and heartbeats only knock.
  ///
  /// What is written is read when the connection is ready for it, so it is the newest, and one
  /// knock kept is enough.
  private let knocks: AsyncStream<Knock>
  private let knock: AsyncStream<Knock>.Continuation

  /// - Parameter now: The time of the sessions, on `clock`.
  package init(
    page: Page, session: LiveSession<Page.Content>, clock: any Clock<Duration>, limits: LiveLimits,
    now: @escaping @Sendable () -> Duration
  ) {
    self.page = page
    self.session = session
    self.clock = clock
    self.limits = limits
    self.now = now
    (knocks, knock) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Writes until the connection or the session ends, or the server shuts down; the session counts
  /// as connected meanwhile.
  @concurrent
  package func write(to writer: inout any ResponseBodyWriter) async throws {
    let connection = session.connect(at: now()) { [knock] in knock.yield(.news) }
    let states = Task { @concurrent in
      for await _ in session.runner.states { knock.yield(.news) }
      knock.finish()
    }
    let heartbeat = Task { @concurrent in
      while !Task.isCancelled {
        try? await clock.sleep(for: limits.heartbeat)
        knock.yield(.heartbeat)
      }
    }
    defer {
      states.cancel()
      session.disconnect(connection, at: now())
      // Last, so that who sees no heartbeat any more, as a test does, knows that nobody is connected.
      heartbeat.cancel()
    }
    try await withGracefulShutdownHandler {
      try await responseKnocks(&writer)
    } onGracefulShutdown: { [knock] in
      knock.finish()
    }
  }

  @concurrent
  private func responseKnocks(_ writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "event: hello\ndata: \(session.id)\n\n"))
    var written: (state: Page.Content.State, acknowledged: Int)?
    for await knock in knocks {
      // In this order: a state is at least as new as what it is said to have seen.
      let acknowledged = session.acknowledged
      let state = session.runner.state
      let isNews = written.map { $0 != (state, acknowledged) } ?? true
      if isNews {
        written = (state, acknowledged)
        let update = LiveUpdate(page, state, acknowledged: acknowledged)
        try await writer.write(ByteBuffer(string: update.event))
      } else if knock == .heartbeat {
        try await writer.write(ByteBuffer(string: ": still here\n\n"))
      }
      // After the state in which the screen said so.
      if let address = session.navigator.take() {
        try await writer.write(ByteBuffer(string: LiveNavigation(address: address).event))
      }
    }
  }
}
