import Curlew
import HTTPTypes
import Logging

extension RequestEvent {
  /// The metadata of every log line about a call.
  func metadata(_ url: String) -> Logger.Metadata {
    let server = server
    var metadata: Logger.Metadata = [
      Attribute.call: "#\(call)", Attribute.method: "\(method)", Attribute.url: "\(url)",
      Attribute.address: "\(server.address)", Attribute.port: "\(server.port)",
    ]
    if let initiator { metadata[Attribute.initiator] = "\(initiator)" }
    return metadata
  }
}

extension RequestTotals {
  /// The outcome of a finished call: `200 in 0.123 s`, `from the cache (40 s old) in 0.001 s`.
  func outcome(after time: Duration) -> String {
    let result = status.map { "\($0)" } ?? (isCoalesced ? "shared a response" : "finished")
    guard let age = cacheStatus?.age else { return "\(result) in \(time.rounded) s" }
    return (status.map { "\($0), " } ?? "") + "from the cache (\(age) s old) in \(time.rounded) s"
  }
}

extension Client.Error {
  /// The outcome of a failed call: `failed in 0.123 s: status 404: Not Found`.
  func outcome(after time: Duration) -> String {
    if case .cancelled = self { return "was cancelled after \(time.rounded) s" }
    return "failed in \(time.rounded) s: \(reasonText)"
  }

  /// The log level for a call that ends with this error.
  ///
  /// Defects are `error`. Failures of networks and servers, and timeouts, are `warning`: they occur every day.
  var logLevel: Logger.Level {
    if case .cancelled = self { .debug } else { isDefect ? .error : .warning }
  }
}

extension RequestEvent.RetryReason {
  var text: String {
    switch self {
    case .status(let status): "status \(status)"
    case .failure(let error): error.reasonText
    }
  }
}

extension String {
  /// The text as a single-line message: a server's text could imitate log lines or contain terminal control sequences.
  var asLogMessage: Logger.Message {
    let isClean = unicodeScalars.allSatisfy { !$0.endsLineOrControls }
    if isClean { return "\(self)" }
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.endsLineOrControls ? " " : scalar) }
    return "\(String(scalars))"
  }
}

extension Unicode.Scalar {
  fileprivate var endsLineOrControls: Bool {
    properties.generalCategory == .control || value == 0x2028 || value == 0x2029
  }
}
