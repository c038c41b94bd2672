import HTTPTypes
import Synchronization

/// Implements `.circuitBreaker(_:)`.
struct CircuitBreakerMiddleware: NetworkMiddleware {
  let breaker: CircuitBreaker

  /// Sends a request unless its server's circuit is open.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = request.head.authority ?? ""
    let isProbe: Bool
    switch breaker.admit(host, request) {
    case .pass(let probes): isProbe = probes
    case .refused(let remaining):
      throw .notSent(
        Client.NotSentFailure(
          request: request.description, reason: .circuitOpen, retryAfter: remaining))
    }
    do throws(Client.Error) {
      var response = try await next(request)
      guard response.head.status.kind != .serverError else {
        breaker.record(host, .failure, isProbe: isProbe)
        return response
      }
      if request.isStreamed {
        // It may last for hours.
        breaker.record(host, .success, isProbe: isProbe)
        return response
      }
      response.body = response.body.whenDone { [breaker] error in
        let outcome = error.map { Self.outcome(of: request.failure($0), request) } ?? .success
        breaker.record(host, outcome, isProbe: isProbe)
      }
      return response
    } catch {
      breaker.record(host, Self.outcome(of: error, request), isProbe: isProbe)
      throw error
    }
  }

  private static func outcome(
    of error: Client.Error, _ request: OutgoingRequest
  ) -> CircuitBreaker.Outcome {
    switch error {
    case .transport, .timeout: .failure
    // The call ran out of time, or its task was cancelled.
    case .cancelled: request.hasRunOutOfTime ? .failure : .unknown
    // The server works, but its response is too large.
    case .tooLarge: .success
    default: .unknown
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Stops sending requests to servers that fail repeatedly, for a while.
  ///
  /// After consecutive failures (no complete response, timeouts, 5xx), a server's circuit opens:
  /// requests fail at once with ``Client/Error/notSent(_:)``. After a while, one request is sent as a
  /// probe: if it succeeds, the circuit closes; if it fails, the circuit opens again.
  public static func circuitBreaker(_ breaker: CircuitBreaker = CircuitBreaker()) -> Self {
    Self(CircuitBreakerMiddleware(breaker: breaker))
  }
}

/// Stops sending requests to a server that fails repeatedly, for a while.
///
/// After a number of consecutive failures (no complete response, timeouts, 5xx), the server's circuit
/// opens: requests fail at once. After a while it is half-open, and one request is sent as a probe: if
/// it succeeds, the circuit closes; if it fails, the circuit opens again.
public final class CircuitBreaker: Sendable {
  /// The state of one server's circuit.
  public enum Status: Sendable, Hashable {
    /// Requests are sent; the last `failures` requests have failed.
    case closed(failures: Int)
    /// Requests fail at once, for `remaining` more time.
    case open(remaining: Duration)
    /// One request is sent as a probe, or the next one will be.
    case halfOpen
  }

  private struct Host {
    var failures = 0
    var openUntil: Duration?
    var isProbing = false
  }

  private struct State {
    var clock: SharedClock
    var hosts: [String: Host] = [:]
  }

  /// The number of servers above which only servers with an open circuit or a running probe are kept:
  /// redirects may lead to ever more servers.
  private static let maxHosts = 1_000

  private let threshold: Int
  private let openTime: Duration
  private let state: Mutex<State>

  /// Creates a circuit breaker.
  ///
  /// - Parameters:
  ///   - threshold: The number of consecutive failures that open a circuit. Five by default: more than
  ///     a coincidence.
  ///   - openTime: The time for which a circuit then stays open. Half a minute by default: enough for
  ///     a server to restart.
  ///   - clock: The clock for `openTime`; by default, the clock of the first client that uses the
  ///     breaker.
  public init(
    threshold: Int = 5, openTime: Duration = .seconds(30),
    clock: (any Clock<Duration>)? = nil
  ) {
    self.threshold = max(1, threshold)
    self.openTime = openTime
    state = Mutex(State(clock: SharedClock(clock)))
  }

  /// Returns the state of a server's circuit, by its host, followed by the port unless it is the
  /// scheme's default.
  public func status(of host: String) -> Status {
    state.withLock { state in
      let now = state.clock.now
      guard let host = state.hosts[host] else { return .closed(failures: 0) }
      guard let until = host.openUntil else { return .closed(failures: host.failures) }
      return until > now ? .open(remaining: until - now) : .halfOpen
    }
  }

  /// Returns whether a request may be sent, and otherwise for how long requests are refused.
  func admit(_ name: String, _ request: OutgoingRequest) -> Entry {
    state.withLock { state in
      let now = state.clock.now(adopting: request.clock)
      guard let until = state.hosts[name]?.openUntil else { return .pass(isProbe: false) }
      if until > now { return .refused(until - now) }
      if state.hosts[name]?.isProbing == true { return .refused(.zero) }
      state.hosts[name]?.isProbing = true
      return .pass(isProbe: true)
    }
  }

  func record(_ name: String, _ outcome: Outcome, isProbe: Bool) {
    state.withLock { state in
      let now = state.clock.now
      var host = state.hosts[name] ?? Host()
      // The outcome of a request that was sent before the circuit opened is irrelevant.
      guard isProbe || host.openUntil == nil else { return }
      if isProbe { host.isProbing = false }
      switch outcome {
      case .success: host = Host()
      case .failure:
        host.failures += 1
        if isProbe || host.failures >= threshold { host.openUntil = now + openTime }
      case .unknown: break
      }
      state.hosts[name] = host.failures == 0 && host.openUntil == nil ? nil : host
      guard state.hosts.count > Self.maxHosts else { return }
      state.hosts = state.hosts.filter {
        $0.value.openUntil.map { $0 > now } ?? false || $0.value.isProbing
      }
    }
  }

  enum Entry {
    case pass(isProbe: Bool)
    case refused(Duration)
  }

  enum Outcome {
    case success
    case failure
    /// The request was cancelled, or never reached the server.
    case unknown
  }
}
