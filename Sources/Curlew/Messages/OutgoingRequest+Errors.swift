import Foundation
import HTTPTypes

extension OutgoingRequest {
  /// Returns the error for an invalid request.
  public func invalid(_ reason: String) -> Client.Error {
    .invalidRequest(Client.RequestFailure(request: description, reason: reason))
  }

  /// Returns whether the endpoint accepts a response with this status.
  func accepts(_ status: HTTPResponse.Status) -> Bool {
    declaration.acceptedStatuses.contains(status.code)
      || declaration.redirects == .doNotFollow && Redirect.statuses.contains(status.code)
  }

  /// Returns the ``Client/Error`` for an error of a transport or of a body: a ``Client/Error`` unchanged, a
  /// ``Client/TransportFailure`` or an unknown error as ``Client/Error/transport(_:)``.
  ///
  /// It is for middlewares that read bodies: bodies throw the transport's errors.
  public func failure(_ error: any Error) -> Client.Error {
    if let error = error as? Client.Error { return error }
    if error is ResponseBody.TooLong { return tooLarge(.bodySize, limits.bodySize) }
    if let error = error as? HeaderTooLong {
      return .tooLarge(
        Client.TooLargeFailure(
          request: description, limit: .headerSize, bytes: limits.headerSize,
          transportLimit: error.transportLimit))
    }
    if let problem = error as? FileSystemError {
      return .file(
        Client.FileFailure(
          request: description, kind: problem.kind, path: problem.path, reason: problem.reason))
    }
    if let error = error as? OutgoingBody.Invalid { return invalid(error.reason) }
    if let failure = error as? OutgoingBody.SourceFailure {
      let reason = redaction.redacting("\(failure.error)", secretsOf: head)
      return .encoding(
        Client.RequestFailure(request: description, reason: "the body's source failed: \(reason)"))
    }
    if error is CancellationError || Task.isCancelled { return .cancelled }
    let cause = Client.TransportFailure(error)
    var failure = Client.TransportFailure(
      cause.kind, reason: redaction.redacting(cause.reason, secretsOf: head))
    failure.request = description
    return .transport(failure)
  }

  /// Returns the error for a response that exceeds a size limit.
  func tooLarge(_ limit: Client.TooLargeFailure.Limit, _ bytes: Int) -> Client.Error {
    .tooLarge(Client.TooLargeFailure(request: description, limit: limit, bytes: bytes))
  }
}

/// An error for a response whose header exceeds a limit of the client or of the transport.
package struct HeaderTooLong: Error {
  /// The transport and its own limit, for the log; `nil` for ``Limits/headerSize``.
  let transportLimit: String?

  package init(transportLimit: String? = nil) {
    self.transportLimit = transportLimit
  }
}
