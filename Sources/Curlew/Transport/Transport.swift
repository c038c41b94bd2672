/// A type that sends a request over the network and returns its response.
///
/// A transport does not follow redirects, store cookies, cache or check the status: the client does all of that,
/// in the same way for every transport. It stops the transfer and throws when its task is cancelled. Any other
/// error is reported as ``Client/Error/transport(_:)``: a ``Client/TransportFailure`` and a `URLError` with
/// their kind, all other errors as ``Client/TransportFailure/Kind/other``.
public protocol Transport: CallStep {
  /// Sends a request and returns when the head of the response has arrived.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse
}
