import HTTPTypes
import Synchronization

/// Stops asking a server that fails again and again, for a while.
///
/// After a number of failures in a row (no response, a broken one, timeouts, 5xx) its circuit is open:
/// requests fail at once. After a time one request tries (half-open): its success closes the circuit, its
/// failure opens it anew.
public final class CircuitBreaker: Sendable {
  /// The state of one server's circuit.
  public enum Status: Sendable, Hashable {
    /// Requests are sent; `failures` consecutive ones have failed.
    case closed(failures: Int)
    /// Requests fail at once, for `remaining` more time.
    case open(remaining: Duration)
    /// One request is tried, or the next one will be.
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

  /// From how many servers on only those are remembered whose circuit is open: redirects may lead to
  /// ever new ones.
  private static let mostHosts = 1_000

  private let threshold: Int
  private let openTime: Duration
  private let state: Mutex<State>

  /// Creates a circuit breaker.
  ///
  /// - Parameters:
  ///   - threshold: How many failures in a row open a circuit. Five: more than chance.
  ///   - openTime: How long it then stays open. Half a minute: a server's restart.
  ///   - clock: The clock of that time; that of the client that uses it first, unless one is given.
  public init(
    threshold: Int = 5, openTime: Duration = .seconds(30),
    clock: (any Clock<Duration>)? = nil
  ) {
    self.threshold = max(1, threshold)
    self.openTime = openTime
    state = Mutex(State(clock: SharedClock(clock)))
  }

  /// The state of a server's circuit, by its host, with the port where it is not the scheme's own.
  public func status(of host: String) -> Status {
    state.withLock { state in
      let now = state.clock.now
      guard let host = state.hosts[host] else { return .closed(failures: 0) }
      guard let until = host.openUntil else { return .closed(failures: host.failures) }
      return until > now ? .open(remaining: until - now) : .halfOpen
    }
  }

  /// Lets a request pass, or says for how long none will.
  func enter(_ name: String, _ request: OutgoingRequest) -> Entry {
    state.withLock { state in
      let now = state.clock.now(adopting: request.clock)
      guard let until = state.hosts[name]?.openUntil else { return .pass(isProbe: false) }
      if until > now { return .refused(until - now) }
      if state.hosts[name]?.isProbing == true { return .refused(.zero) }
      state.hosts[name]?.isProbing = true
      return .pass(isProbe: true)
    }
  }

  func leave(_ name: String, _ outcome: Outcome, isProbe: Bool) {
    state.withLock { state in
      let now = state.clock.now
      var host = state.hosts[name] ?? Host()
      // A request from before the circuit opened says nothing new about it.
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
      guard state.hosts.count > Self.mostHosts else { return }
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
    /// It was cancelled, or never came to the server.
    case unknown
  }
}
