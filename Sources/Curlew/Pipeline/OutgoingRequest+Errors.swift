import Foundation
import HTTPTypes

extension OutgoingRequest {
  /// The error of a request that can't be sent as it is.
  public func invalid(_ reason: String) -> Client.Error {
    .invalidRequest(Client.InvalidRequestFailure(request: description, reason: reason))
  }

  /// Whether the endpoint takes a response with this status for a success.
  func accepts(_ status: HTTPResponse.Status) -> Bool {
    endpoint.acceptedStatuses.contains(status.code)
      || endpoint.redirects == .doNotFollow && Redirect.statuses.contains(status.code)
  }

  /// Returns what a client throws for an error of a transport or of a body: a ``Client/Error`` as it is, a
  /// ``TransportError`` or any other as ``Client/Error/transport(_:)``.
  ///
  /// For middlewares that read bodies: reading one throws what its transport does.
  public func failure(_ error: any Error) -> Client.Error {
    if let error = error as? Client.Error { return error }
    if error is ResponseBody.TooLong { return tooLarge(.bodySize, limits.bodySize) }
    if error is HeaderTooLong { return tooLarge(.headerSize, limits.headerSize) }
    if error is CancellationError || Task.isCancelled { return .cancelled }
    let problem = TransportError(error)
    return .transport(
      Client.TransportFailure(
        request: description, kind: problem.kind,
        reason: redaction.redacting(problem.reason, secretsOf: head)))
  }

  /// What a client throws for a response of which a part is too long.
  func tooLarge(_ limit: Client.TooLargeFailure.Limit, _ bytes: Int) -> Client.Error {
    .tooLarge(Client.TooLargeFailure(request: description, limit: limit, bytes: bytes))
  }
}

/// Says that a response's header is longer than a transport takes.
package struct HeaderTooLong: Error {
  package init() {}
}
