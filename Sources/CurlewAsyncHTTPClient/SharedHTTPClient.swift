import AsyncHTTPClient
import Curlew
import NIOCore
import NIOPosix
import NIOSSL
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
  private let pingInterval: Duration?
  let route: Route
  /// Whether the client is the caller's own.
  let isOwn: Bool
  let queue: RequestQueue
  let fieldNames = FieldNames()
  private let state: Mutex<State>

  init(tls: TLSSettings, pingInterval: Duration? = nil, route: Route = .direct) {
    (self.tls, self.pingInterval, self.route, isOwn) = (tls, pingInterval, route, false)
    state = Mutex(State())
    queue = RequestQueue(limit: HTTPClient.Configuration.connectionsPerHost)
  }

  init(own client: HTTPClient, connectionsPerHost: Int) {
    (tls, pingInterval, route, isOwn) = (TLSSettings(), nil, .direct, true)
    queue = RequestQueue(limit: connectionsPerHost)
    state = Mutex(State(client: EventLoopClient(client, tls: nil, route: .direct)))
  }

  deinit {
    guard !isOwn else { return }
    state.withLock { $0.client }?.beginShutdown().shutdown { _ in }
  }

  /// Returns a client with the same settings for connections on another route.
  func on(_ route: Route) -> SharedHTTPClient {
    SharedHTTPClient(tls: tls, pingInterval: pingInterval, route: route)
  }

  func client() -> EventLoopClient {
    state.withLock { state in
      if let client = state.client { return client }
      // Network.framework, the default on Apple's systems, supports neither client certificates nor pins, and has
      // its own errors.
      let configuration = HTTPClient.Configuration.curlew(tls: tls, pingInterval: pingInterval)
        .on(route)
      let http = HTTPClient(
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
      let client = EventLoopClient(http, tls: configuration.tlsConfiguration, route: route)
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
  private let tls: TLSConfiguration?
  private let isShutDown: Atomic<Bool>

  /// - Parameter tls: The client's TLS settings; `nil` for the caller's own client, which may be shut down at any
  ///   time.
  init(_ http: HTTPClient, tls: TLSConfiguration?, route: Route) {
    (self.http, self.tls, self.route) = (http, tls, route)
    loops = Array(http.eventLoopGroup.makeIterator())
    isShutDown = Atomic(tls == nil)
  }

  /// Returns the TLS settings for a connection pool that replaces a host's usual pool.
  ///
  /// AsyncHTTPClient has a connection pool for each host and each TLS configuration, compared by value, so that a
  /// nanosecond makes another one.
  func tls(ofPool pool: Int) -> TLSConfiguration? {
    guard var tls else { return nil }
    // Pools are never released, so their number is limited.
    tls.shutdownTimeout = tls.shutdownTimeout + .nanoseconds(Int64(pool % 8))
    return tls
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
