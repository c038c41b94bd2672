import Curlew

/// Errors in a response, with the texts of `CurlewAsyncHTTPClient`.
extension TransportError {
  static let closed = TransportError(
    .lost, reason: "the connection was closed before the response was complete")
  static let reset = TransportError(
    .lost, reason: "the connection was reset before the response was complete")

  static func malformed(_ reason: String) -> TransportError {
    TransportError(.protocolError, reason: "the response is not HTTP (\(reason))")
  }
}
