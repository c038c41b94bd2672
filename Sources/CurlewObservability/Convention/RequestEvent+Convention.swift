import Curlew
import HTTPTypes

extension RequestEvent {
  /// The methods that OpenTelemetry defines: RFC 9110, RFC 5789, and `QUERY`.
  private static let methods: Set<String> = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
  ]

  /// The value of `http.request.method`.
  var knownMethod: String {
    Self.methods.contains(method.rawValue) ? method.rawValue : Client.Error.otherType
  }

  var server: Server { Server(scheme: scheme, authority: authority) }

  /// The value of `error.type` for an attempt; `nil` if it succeeded.
  ///
  /// By the convention, a status from 400 is an error unless it is expected, such as a 404 that the endpoint accepts.
  func attemptErrorType(_ error: Client.Error?) -> String? {
    if let error { return error.type }
    guard let status, status >= 400, !endpoint.accepts(status) else { return nil }
    return "\(status)"
  }
}

extension Endpoint {
  fileprivate func accepts(_ status: Int) -> Bool { request.acceptedStatuses.contains(status) }
}
