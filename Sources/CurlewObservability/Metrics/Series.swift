import CoreMetrics
import Curlew

/// What the measurements of a series have in common: the values of its attributes.
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

  /// The series of everything that there is no room for.
  static let overflow = Series(
    method: Client.Error.otherType, scheme: "", authority: "\(Client.Error.otherType):0")

  /// The attributes of what is known when a request is sent.
  var requestAttributes: [(String, String)] {
    let server = Server(scheme: scheme, authority: authority)
    return [
      (Attribute.method, method), (Attribute.address, server.address),
      (Attribute.port, "\(server.port)"),
    ]
  }

  /// The attributes of an attempt that has ended.
  ///
  /// All series have all names, with an empty value for what there is not: versions of swift-prometheus
  /// end the process when two series of a metric have different names, and to Prometheus an empty value
  /// is the same as none.
  var attemptAttributes: [(String, String)] {
    requestAttributes + [
      (Attribute.status, status.map { "\($0)" } ?? ""), (Attribute.error, error ?? ""),
      (Attribute.version, version ?? ""),
    ]
  }

  /// The attributes of a retry.
  var retryAttributes: [(String, String)] { requestAttributes + [(Attribute.error, error ?? "")] }
}
