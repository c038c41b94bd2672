/// Implements `.samples(after:)`.
public struct SampleTransport: Transport {
  let delay: Duration

  /// Returns the sample of the request's endpoint.
  ///
  /// - Throws: ``Client/Error/invalidRequest(_:)`` if there is none.
  public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
    if delay > .zero { try await request.wait(for: delay) }
    guard let sample = request.sample else { throw request.invalid("its endpoint has no sample") }
    return sample.response
  }
}

extension Transport where Self == SampleTransport {
  /// Responds to each request with the sample of its endpoint, ``Request/sample(_:)``, and sends nothing: for previews, a
  /// demo mode and UI tests.
  ///
  /// - Parameter delay: The time before each response, on the client's clock.
  public static func samples(after delay: Duration = .zero) -> Self { Self(delay: delay) }
}
