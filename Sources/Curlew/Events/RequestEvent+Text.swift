extension RequestEvent: Described {
  /// One line: the call, the time since it began in seconds, the attempt from the second on, and the stage;
  /// for the first event, also the method, the URL and the initiator.
  public var description: String {
    let number = attempt.map { $0 > 1 ? " attempt \($0):" : "" } ?? ""
    // Errors may quote texts of a server or the system, which may contain line breaks.
    return "#\(call) +\(time.rounded)\(number) \(text)".inOneLine
  }

  private var text: String {
    switch stage {
    case .began: "\(method) \(url)" + (initiator.map { " for \($0)" } ?? "")
    case .coalesced(let call):
      "waiting for the response to \(call.map { "#\($0)" } ?? "another call")"
    case .waitingForToken: "waiting for a token"
    case .waitingForRateLimit(let time):
      "waiting for the rate limit" + (time.map { ", \($0.rounded)" } ?? "")
    case .queued: "queued"
    case .resumed: "resumed"
    case .retrying(let time, .status(let status)):
      "retrying in \(time.rounded) (status \(status))"
    case .retrying(let time, .failure(let error)):
      "retrying in \(time.rounded) (\(error.reasonText))"
    case .cache(let status): "cache: \(status)"
    case .sending: attempt == 1 ? "sending" : "sending \(method) \(url)"
    case .connecting: "connecting"
    case .sent: "sent" + (bodySize.map { $0 > 0 ? ", \($0) bytes" : "" } ?? "")
    case .head(let status): "status \(status)\(lostFields)"
    case .bytes(let count): "\(count) bytes"
    case .received(let bytes, let isComplete):
      "received \(bytes) bytes" + (isComplete ? "" : ", stopped early")
    case .lost(let error): "lost: \(error.reasonText)"
    case .measured(let metrics): "\(metrics)"
    case .decoded(let bytes): "decoded \(bytes) bytes"
    case .finished: "finished: \(summary)"
    case .failed(let error): "failed: \(error.reasonText)"
    }
  }
}

extension RequestEvent {
  /// The fields whose bytes the transport has lost.
  private var lostFields: String {
    // With the secrets, of which only the names are told.
    let fields = attemptObservation?.response?.head.headerFields
    let names = fields?.filter(\.hasLostBytes).map(\.name.rawName) ?? []
    return names.isEmpty
      ? "" : "; not UTF-8 and not sent back: \(names.joined(separator: ", "))"
  }

  /// The call's totals: `2 requests, 5120 bytes, waited 0.310 s`.
  private var summary: String {
    let totals = totals
    return (totals.attempts == 1 ? "1 request" : "\(totals.attempts) requests")
      + ", \(totals.bytes) bytes"
      + (totals.waited > .zero ? ", waited \(totals.waited.rounded)" : "")
  }
}

extension Duration {
  /// The duration in seconds, with three decimal places: `0.250 s`.
  var rounded: String {
    let (seconds, attoseconds) = components
    return "\(seconds).\("\(1000 + abs(attoseconds) / 1_000_000_000_000_000)".dropFirst()) s"
  }
}
