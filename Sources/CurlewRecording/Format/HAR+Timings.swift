import Curlew

extension HAR {
  /// How long the stages of an exchange took, one after the other; `nil` for what is not known.
  public struct Timings: Sendable, Hashable {
    /// The time in queues, until a connection was free.
    public var blocked: Duration?
    /// The time to connect, TLS included.
    public var connect: Duration?
    /// The time to send the request.
    public var send: Duration?
    /// The time from the sent request to the response's header fields.
    public var wait: Duration?
    /// The time in which the response's body arrived.
    public var receive: Duration?

    /// Creates timings; what is left out is not known.
    public init(
      blocked: Duration? = nil, connect: Duration? = nil, send: Duration? = nil,
      wait: Duration? = nil, receive: Duration? = nil
    ) {
      (self.blocked, self.connect, self.send) = (blocked, connect, send)
      (self.wait, self.receive) = (wait, receive)
    }
  }
}
