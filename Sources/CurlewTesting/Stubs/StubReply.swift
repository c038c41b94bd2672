package import Curlew

/// The reply of a stub to one request.
package enum StubReply: Sendable {
  case response(IncomingResponse)
  /// One with faults on the wire, from CurlewFaultServer.
  case onWire(any WireReply)
}

/// A reply that is defined by the bytes that a server sends.
package protocol WireReply: Sendable {
  /// Returns the response as a correct transport reads it.
  func response(
    to request: OutgoingRequest, on clock: any Clock<Duration>
  ) async throws -> IncomingResponse
}
