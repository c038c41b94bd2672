/// A type that sends a request over the network and returns its response.
///
/// A transport does not follow redirects, store cookies, cache or check the status: the client does all of that,
/// in the same way for every transport. It stops the transfer and throws when its task is cancelled. Any other
/// error is reported as ``Client/Error/transport(_:)``: a ``Client/TransportFailure`` and a `URLError` with
/// their kind, all other errors as ``Client/TransportFailure/Kind/other``.
public protocol Transport: Sendable {
  /// Sends a request and returns when the head of the response has arrived.
  func send(_ request: OutgoingRequest) async throws -> IncomingResponse

  /// Whether a time limit can stop each transfer: the transport registers it with ``OutgoingRequest/stops(_:)``, and starts
  /// the limits with ``OutgoingRequest/awaits(_:)``; by default `false`.
  var isStoppable: Bool { get }
}

extension Transport {
  /// `false`: each request and each read of a body's chunk runs in a task of its own, which a time limit cancels.
  public var isStoppable: Bool { false }
}
