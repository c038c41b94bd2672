/// The reconnection policy of a stream of server-sent events, and its starting point.
public struct EventStreamPolicy: Sendable {
  /// The wait before a reconnection, until the server sets another wait with a `retry` field.
  ///
  /// Three seconds by default: what browsers use. A server can set between half a second, as in Firefox, and
  /// an hour; `Retry-After` is limited to an hour, too.
  public var reconnectionTime: Duration = .seconds(3)
  /// The maximum wait, unless the server requests a longer wait.
  ///
  /// The wait is doubled for each attempt without an event in between. One minute by default: clients soon
  /// reconnect to a recovered server, and send a failing server one request a minute.
  public var maximumDelay: Duration = .seconds(60)
  /// The number of consecutive attempts without an event after which the stream ends with the last attempt's
  /// error; `nil` for no limit.
  ///
  /// `nil` by default, because a stream is meant to last.
  public var maximumFailures: Int?
  /// The ID of the event after which the stream begins, to resume it after a restart of the
  /// program; empty, the default, for the server's choice.
  public var lastEventID = ""
  /// Returns the fraction, from 0 to 1, of half the wait that is added to the wait, so that the clients of a
  /// restarting server don't all reconnect at once.
  var random: @Sendable () -> Double = { .random(in: 0...1) }
  /// Called before each wait with the connection's error and the wait, to show or log the interruption.
  public var willReconnect: (@Sendable (Client.Error, Duration) -> Void)?

  /// Creates the default policy.
  public init() {}
}

/// The state of a stream that its waits depend on.
struct EventStreamBackoff {
  private let policy: EventStreamPolicy
  /// The attempts and the waits since the last event.
  private var failures = 0
  private var waits = 0
  /// Whether this connection delivered an event.
  private var hasDelivered = false

  /// The bounds of the wait that a server may set.
  private static let bounds: ClosedRange<Duration> = .milliseconds(500) ... .seconds(3600)

  /// The server's reconnection time, or the policy's.
  private var reconnectionTime: Duration

  init(_ policy: EventStreamPolicy) {
    self.policy = policy
    reconnectionTime = policy.reconnectionTime
  }

  /// Adopts the reconnection time that a server sets, within the bounds.
  mutating func setReconnectionTime(_ time: Duration) {
    reconnectionTime = min(max(time, Self.bounds.lowerBound), Self.bounds.upperBound)
  }

  mutating func eventArrived() {
    (failures, waits, hasDelivered) = (0, 0, true)
  }

  /// Returns the wait after the end of a connection; `nil` if it was the last attempt.
  ///
  /// - Parameter retryAfter: The wait that the server requests when it rejects the request.
  mutating func nextWait(retryAfter: Duration?) -> Duration? {
    if !hasDelivered { failures += 1 }
    hasDelivered = false
    if let maximum = policy.maximumFailures, failures >= maximum { return nil }
    defer { waits += 1 }
    // At most a century, so that doubling it does not overflow.
    var wait = min(max(reconnectionTime, .zero), .seconds(3_155_760_000))
    if waits > 0 {
      // A reconnection time of zero must not lead to a busy loop while the server is down.
      let doubled = max(wait, .milliseconds(100)) * (1 << min(waits, 30))
      wait = max(wait, min(doubled, policy.maximumDelay))
    }
    wait = max(wait, min(retryAfter ?? .zero, Self.bounds.upperBound))
    return wait + wait / 2 * min(max(policy.random(), 0), 1)
  }
}
