/// Attribute names: OpenTelemetry's HTTP conventions if defined, otherwise names with Curlew's prefix, as OpenTelemetry
/// recommends.
enum Attribute {
  static let method = "http.request.method"
  static let originalMethod = "http.request.method_original"
  static let resendCount = "http.request.resend_count"
  static let status = "http.response.status_code"
  static let url = "url.full"
  static let address = "server.address"
  static let port = "server.port"
  static let version = "network.protocol.version"
  static let error = "error.type"

  static let call = "curlew.call"
  static let initiator = "curlew.initiator"
  /// The sum over all attempts, which is not the size of any response.
  static let bytes = "curlew.bytes"
  /// Durations are in seconds, as in OpenTelemetry.
  static let duration = "curlew.duration"
  static let waited = "curlew.waited"
  static let delay = "curlew.delay"
  static let retries = "curlew.retries"
  static let coalesced = "curlew.coalesced"
  static let cache = "curlew.cache"
}
