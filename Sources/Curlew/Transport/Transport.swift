/// A type that sends a request over the network and returns its response.
///
/// A transport does not follow redirects, store cookies, cache or check the status: the client does all
/// of that, in the same way for every transport. It stops the transfer and throws when its task is
/// cancelled. Any other error is reported as ``Client/Error/transport(_:)``: a ``Client/TransportFailure`` and a
/// `URLError` with their kind, all others as ``Client/TransportFailure/Kind/other``.
public protocol Transport: Sendable {
  /// Sends a request and returns when the head of the response has arrived.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}

/// A transport whose transfers can be stopped from outside the task that waits for them.
///
/// It registers each transfer with `OutgoingRequest.stops(_:)`, and starts its time limits with
/// `awaits(_:)`. Each request of any other transport runs in a task of its own, which a time limit can
/// cancel, and so does the reading of each chunk of a body.
package protocol StoppableTransport: Transport {}
