public import Hummingbird
import NIOCore
public import ServiceLifecycle
import Synchronization

/// Tells a load balancer whether this process accepts requests, which it no longer does once it
/// shuts down.
///
/// Run it as the last service of a service group, which is the first service to shut down: it then
/// responds with 503 for the drain time, before the server stops listening and tells its tabs to
/// reconnect.
///
/// ```swift
/// let readiness = LiveReadiness()
/// router.add(readiness)
/// let group = ServiceGroup(
///   services: [application, readiness], gracefulShutdownSignals: [.sigterm], logger: logger)
/// try await group.run()
/// ```
public final class LiveReadiness: Service {
  private let isReady = Atomic(true)
  fileprivate let path: String
  private let drainTime: Duration
  private let clock: any Clock<Duration>

  /// Creates a readiness service.
  ///
  /// - Parameters:
  ///   - path: The path of its response: 200, or 503 (RFC 9110 section 15.6.4).
  ///   - drainTime: The time for which it responds with 503 before the server shuts down; it should
  ///     be longer than the interval of the load balancer's checks.
  ///   - clock: The clock for the drain time.
  public init(
    at path: String = "/ready", drainTime: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.path, self.drainTime, self.clock) = (path, drainTime, clock)
  }

  /// Waits for the shutdown, and delays it by the drain time.
  @concurrent
  public func run() async throws {
    try await gracefulShutdown()
    isReady.store(false, ordering: .relaxed)
    // The sleep is cancelled when the shutdown takes too long.
    try? await clock.sleep(for: drainTime)
  }

  fileprivate func response() -> Response {
    let isReady = isReady.load(ordering: .relaxed)
    return Response(
      status: isReady ? .ok : .serviceUnavailable,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: isReady ? "ready\n" : "shutting down\n")))
  }
}

extension Router {
  /// Adds the route that reports whether the process is ready for requests.
  public func add(_ readiness: LiveReadiness) {
    get(RouterPath(readiness.path)) { _, _ in readiness.response() }
  }
}
