extension RequestEvent: CustomStringConvertible, CustomReflectable {
  /// One line: the call, the time since it began in seconds, the attempt if there were several, what
  /// happened, and where it began also the method, the URL and the initiator.
  public var description: String {
    let number = attempt.map { $0 > 1 ? " attempt \($0):" : "" } ?? ""
    return "\(call) +\(time.rounded)\(number) \(text)"
  }

  /// A mirror that shows only the ``description``.
  public var customMirror: Mirror { Mirror(reflecting: description) }

  private var text: String {
    switch stage {
    case .began: "\(method) \(url)" + (initiator.map { " for \($0)" } ?? "")
    case .coalesced(let call):
      "waits for the response to \(call.map(\.description) ?? "another call")"
    case .waitingForToken: "waits for a token"
    case .waitingForRateLimit(let time):
      "waits for the rate limit" + (time.map { ", \($0.rounded)" } ?? "")
    case .queued: "waits in the queue"
    case .resumed: "goes on"
    case .retrying(let time, .status(let status)):
      "retries after \(time.rounded): status \(status)"
    case .retrying(let time, .failure(let error)): "retries after \(time.rounded): \(error)"
    case .sending: attempt == 1 ? "sends the request" : "sends \(method) \(url)"
    case .connecting: "gets a connection"
    case .sent: "sent" + (bodySize.map { $0 > 0 ? ", \($0) bytes" : "" } ?? "")
    case .head(let status): "status \(status)"
    case .bytes(let count): "\(count) bytes"
    case .received(let bytes, let isComplete):
      "received \(bytes) bytes" + (isComplete ? "" : ", not all")
    case .lost(let error): "lost: \(error)"
    case .decoded(let bytes): "decoded \(bytes) bytes"
    case .finished: "finished"
    case .failed(let error): "failed: \(error)"
    }
  }
}

extension Duration {
  /// The duration in seconds, with three digits after the point: `0.250 s`.
  fileprivate var rounded: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\("\(1000 + abs(attoseconds) / 1_000_000_000_000_000)".dropFirst()) s"
  }
}
