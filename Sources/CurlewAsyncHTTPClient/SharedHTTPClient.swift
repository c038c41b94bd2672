import AsyncHTTPClient
import Curlew
import NIOCore
import NIOPosix
import Synchronization

/// An `HTTPClient` that several transports share: created on first use, and again after a shutdown.
///
/// It is shut down when its last reference is released. The caller's own client is never shut down.
final class SharedHTTPClient: Sendable {
  private struct State {
    var client: EventLoopClient?
    /// The task that ends when all previous clients are shut down.
    var shutdown: Task<Void, any Error>?
  }

  /// The client of `.asyncHTTPClient`.
  static let process = SharedHTTPClient(tls: TLSSettings())

  private let tls: TLSSettings
  let route: Route
  /// Whether the client is the caller's own.
  let isOwn: Bool
  let queue: RequestQueue
  let fieldNames = FieldNames()
  private let state: Mutex<State>

  init(tls: TLSSettings, route: Route = .direct) {
    (self.tls, self.route, isOwn) = (tls, route, false)
    state = Mutex(State())
    queue = RequestQueue(limit: HTTPClient.Configuration.connectionsPerHost)
  }

  init(own client: HTTPClient, connectionsPerHost: Int) {
    (tls, route, isOwn) = (TLSSettings(), .direct, true)
    queue = RequestQueue(limit: connectionsPerHost)
    state = Mutex(State(client: EventLoopClient(client, isOwn: true)))
  }

  deinit {
    guard !isOwn else { return }
    state.withLock { $0.client }?.beginShutdown().shutdown { _ in }
  }

  func client() -> EventLoopClient {
    state.withLock { state in
      if let client = state.client { return client }
      // Network.framework, the default on Apple's systems, supports neither client certificates nor pins, and has
      // its own errors.
      let http = HTTPClient(
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        configuration: .curlew(tls: tls).on(route))
      let client = EventLoopClient(http, isOwn: false, route: route)
      state.client = client
      return client
    }
  }

  func shutdown() async throws {
    guard !isOwn else { return }
    let shutdown = state.withLock { state in
      if let client = state.client.take() {
        state.shutdown = Task { @concurrent [before = state.shutdown] in
          try await before?.value
          try await client.beginShutdown().shutdown()
        }
      }
      return state.shutdown
    }
    try await shutdown?.value
  }
}

/// An `HTTPClient` and its event loops.
final class EventLoopClient: Sendable {
  let http: HTTPClient
  let route: Route
  private let loops: [any EventLoop]
  private let isShutDown: Atomic<Bool>

  /// - Parameter isOwn: Whether the client is the caller's own, who may shut it down at any time.
  init(_ http: HTTPClient, isOwn: Bool, route: Route = .direct) {
    (self.http, self.route) = (http, route)
    loops = Array(http.eventLoopGroup.makeIterator())
    isShutDown = Atomic(isOwn)
  }

  /// Whether the client may have been shut down when it was last used.
  var mayBeShutDown: Bool { isShutDown.load(ordering: .acquiring) }

  /// Returns the client for the caller to shut down.
  func beginShutdown() -> HTTPClient {
    isShutDown.store(true, ordering: .releasing)
    return http
  }

  /// Returns the event loop for a request.
  ///
  /// AsyncHTTPClient connects on this event loop, and prefers connections on it; with a connection on another
  /// event loop, each step of a request wakes two threads. So a request uses the event loop of its slot's previous
  /// request, and all requests that share a connection use the same event loop.
  func loop(for slot: RequestQueue.Slot) -> any EventLoop {
    slot.sharesConnection ? loops[0] : loops[slot.number % loops.count]
  }
}
