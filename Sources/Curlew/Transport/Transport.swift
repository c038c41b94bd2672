/// A type that sends a request over the network and returns its response.
///
/// A transport does not follow redirects, store cookies, cache or check the status: the client does all of that,
/// in the same way for every transport. It stops the transfer and throws when its task is cancelled. Any other
/// error is reported as ``Client/Error/transport(_:)``: a ``Client/TransportFailure`` and a `URLError` with
/// their kind, all other errors as ``Client/TransportFailure/Kind/other``.
public protocol Transport: Sendable {
  /// Sends a request and returns when the head of the response has arrived.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A transport whose transfers can be stopped from outside the waiting task.
///
/// It registers each transfer with `OutgoingRequest.stops(_:)`, and starts its time limits with `awaits(_:)`.
/// With any other transport, each request and each read of a body's chunk runs in its own task, which a time
/// limit can cancel.
package protocol StoppableTransport: Transport {}
