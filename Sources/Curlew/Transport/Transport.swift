/// Sends one request to a server and returns its response: the seam between Curlew and a network.
///
/// A transport does not follow redirects, keeps no cookies and no cache, and does not judge the
/// status: the client does all of that, the same way on every transport. It stops the transfer and
/// throws when its task is cancelled; what else it throws is reported as
/// ``Client/Error/transport(_:)``: a ``TransportError`` and a `URLError` with their kind, any other
/// error as ``Client/TransportFailure/Kind/other``.
public protocol Transport: Sendable {
  /// Sends a request and returns once the head of the response is there.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A transport whose transfers can be stopped from outside of the task that waits for them.
///
/// It names them with `OutgoingRequest.stops(_:)`, and tells with `awaits(_:)` which time limit runs.
/// The requests of any other transport get a task of their own that a time limit can cancel, and so
/// does each piece of a body.
package protocol StoppableTransport: Transport {}
