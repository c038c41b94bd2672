import Curlew

/// Errors in a response, with the texts of `CurlewAsyncHTTPClient`.
extension Client.TransportFailure {
  static let closed = Client.TransportFailure(
    .lost, reason: "the connection was closed before the response was complete")
  static let reset = Client.TransportFailure(
    .lost, reason: "the connection was reset before the response was complete")

  static func malformed(_ reason: String) -> Client.TransportFailure {
    Client.TransportFailure(.protocolError, reason: "the response is not HTTP (\(reason))")
  }
}
