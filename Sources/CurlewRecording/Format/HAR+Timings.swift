import Curlew

extension HAR {
  /// The durations of the consecutive stages of an exchange; `nil` for unknown durations.
  public struct Timings: Sendable, Hashable {
    /// The time in queues until a connection was available.
    public var blocked: Duration?
    /// The time to connect, including TLS.
    public var connect: Duration?
    /// The time to send the request.
    public var send: Duration?
    /// The time from sending the request to receiving the response's header fields.
    public var wait: Duration?
    /// The time to receive the response's body.
    public var receive: Duration?

    /// Creates timings; omitted stages are unknown.
    public init(
      blocked: Duration? = nil, connect: Duration? = nil, send: Duration? = nil,
      wait: Duration? = nil, receive: Duration? = nil
    ) {
      (self.blocked, self.connect, self.send) = (blocked, connect, send)
      (self.wait, self.receive) = (wait, receive)
    }
  }
}
