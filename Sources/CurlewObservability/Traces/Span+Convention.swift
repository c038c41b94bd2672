import Curlew
import HTTPTypes
import Tracing

extension SpanAttributes {
  /// Sets the request attributes that the convention requires.
  mutating func setRequest(of event: RequestEvent) {
    let (method, server) = (event.knownMethod, event.server)
    self[Attribute.method] = method
    if method != event.method.rawValue { self[Attribute.originalMethod] = event.method.rawValue }
    self[Attribute.url] = event.url
    self[Attribute.address] = server.address
    self[Attribute.port] = server.port
  }
}

extension Span {
  /// Records that the span's operation failed.
  ///
  /// - Parameters:
  ///   - type: The value of `error.type`.
  ///   - error: The error; `nil` for an error status.
  func fail(_ type: String, _ error: Client.Error?) {
    attributes[Attribute.error] = type
    switch error {
    case nil, .status, .cancelled: setStatus(SpanStatus(code: .error))
    case let error?: setStatus(SpanStatus(code: .error, message: error.description))
    }
    // A cancelled call is not an exception.
    if let error, type != Client.Error.cancelled.type { recordError(error) }
  }
}

extension RequestEvent {
  /// The name and attributes of the stage's event in the call's span; `nil` for stages without an event.
  var wait: (name: String, attributes: () -> SpanAttributes)? {
    switch stage {
    case .coalesced(let leader):
      return ("coalesced", { leader.map { [Attribute.call: .string("#\($0)")] } ?? [:] })
    case .waitingForToken: return ("wait for token", { [:] })
    case .waitingForRateLimit(let time):
      return ("wait for rate limit", { time.map { [Attribute.delay: .double($0.seconds)] } ?? [:] })
    case .queued: return ("wait in queue", { [:] })
    case .resumed: return ("resumed", { [:] })
    case .retrying(let time, let reason):
      return (
        "retry",
        { [Attribute.delay: .double(time.seconds), Attribute.error: .string(reason.type)] }
      )
    default: return nil
    }
  }
}
