import CoreMetrics
import Curlew

/// The attribute values that identify a series.
struct Series: Hashable {
  var method: String
  var scheme: String
  var authority: String
  var status: Int?
  var version: String?
  var error: String?

  init(_ event: RequestEvent) {
    (method, scheme, authority) = (event.knownMethod, event.scheme, event.authority)
  }

  private init(method: String, scheme: String, authority: String) {
    (self.method, self.scheme, self.authority) = (method, scheme, authority)
  }

  /// The series for all measurements beyond the maximum number of series.
  static let overflow = Series(
    method: Client.Error.otherType, scheme: "", authority: "\(Client.Error.otherType):0")

  /// The attributes known when a request is sent.
  var requestAttributes: [(String, String)] {
    let server = Server(scheme: scheme, authority: authority)
    return [
      (Attribute.method, method), (Attribute.address, server.address),
      (Attribute.port, "\(server.port)"),
    ]
  }

  /// The attributes of a completed attempt.
  ///
  /// All series have the same attribute names, with empty values for missing attributes: some versions of
  /// swift-prometheus crash if two series of a metric have different names, and Prometheus treats an empty value as
  /// missing.
  var attemptAttributes: [(String, String)] {
    requestAttributes + [
      (Attribute.status, status.map { "\($0)" } ?? ""), (Attribute.error, error ?? ""),
      (Attribute.version, version ?? ""),
    ]
  }

  /// The attributes of a retry.
  var retryAttributes: [(String, String)] { requestAttributes + [(Attribute.error, error ?? "")] }
}
