import Foundation
import HTTPTypes

extension Client {
  /// Returns the values of a response in JSON Lines (NDJSON): the endpoint's `Response` is the type
  /// of one line.
  ///
  /// The request is sent when the sequence is iterated. It passes through the same middlewares and
  /// limits as ``stream(_:)``. ``Limits/lineSize`` limits each line.
  public func jsonLines<E: Endpoint>(_ endpoint: E) -> JSONLines<E.Response> {
    JSONLines(client: self, endpoint: endpoint)
  }
}

extension Client {
  /// Creates the request of a stream.
  ///
  /// - Parameter fields: The header fields to set unless the endpoint has its own.
  func streamedRequest<E: Endpoint>(
    for endpoint: E, _ fields: HTTPFields
  ) throws(Error) -> OutgoingRequest {
    var request = try request(for: endpoint, isStreamed: true)
    let own = request.declaration.headerFields
    var merged = request.head.headerFields
    for field in fields where !own.contains(field.name) { merged[field.name] = field.value }
    request.head.headerFields = merged
    return request
  }

  /// Unavailable: without the type of a line, no value could be decoded.
  @available(*, unavailable, message: "Name the type of a line: Request<Entry>.get(…)")
  public func jsonLines<E: Endpoint<Void>>(_ endpoint: E) -> JSONLines<Void> { fatalError() }
}
