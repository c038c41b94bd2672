public import Hummingbird
import NIOCore
public import ServiceLifecycle
import Synchronization

/// Tells a load balancer whether this process wants requests: not any more once it shuts down.
///
/// Run it as the last one of a service group's services, which is the first to shut down: it then
/// responds with 503 for a while, before the server stops to listen and tells its tabs to move on.
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

  /// Creates one.
  ///
  /// - Parameters:
  ///   - path: Where it responds: with 200, or 503 (RFC 9110 section 15.6.4).
  ///   - drainTime: How long it does so before the server shuts down, which should be longer than the
  ///     interval at which the load balancer asks.
  ///   - clock: The clock of that time.
  public init(
    at path: String = "/ready", drainTime: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.path, self.drainTime, self.clock) = (path, drainTime, clock)
  }

  /// Waits for the shutdown, and holds it up for the drain time.
  @concurrent
  public func run() async throws {
    try await gracefulShutdown()
    isReady.store(false, ordering: .relaxed)
    // Cancelled when the shutdown takes too long.
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
  /// Serves whether the process is ready for requests.
  public func add(_ readiness: LiveReadiness) {
    get(RouterPath(readiness.path)) { _, _ in readiness.response() }
  }
}
