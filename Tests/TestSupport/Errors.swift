package import Curlew
package import Testing

extension Client.Error {
  package var transportFailure: Client.TransportFailure? {
    if case .transport(let failure) = self { failure } else { nil }
  }
  package var timeoutFailure: Client.TimeoutFailure? {
    if case .timeout(let failure) = self { failure } else { nil }
  }
  package var statusFailure: Client.StatusFailure? {
    if case .status(let failure) = self { failure } else { nil }
  }
  package var decodingFailure: Client.DecodingFailure? {
    if case .decoding(let failure) = self { failure } else { nil }
  }
  package var encodingFailure: Client.RequestFailure? {
    if case .encoding(let failure) = self { failure } else { nil }
  }
  package var invalidRequest: Client.RequestFailure? {
    if case .invalidRequest(let failure) = self { failure } else { nil }
  }
  package var tooLarge: Client.TooLargeFailure? {
    if case .tooLarge(let failure) = self { failure } else { nil }
  }
  package var fileFailure: Client.FileFailure? {
    if case .file(let failure) = self { failure } else { nil }
  }
  package var redirectFailure: Client.RedirectFailure? {
    if case .redirect(let failure) = self { failure } else { nil }
  }
  package var holdFailure: Client.NotSentFailure? {
    if case .notSent(let failure) = self { failure } else { nil }
  }
  package var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension Result {
  package var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension Client {
  /// Sends an endpoint that must fail, and returns its error.
  package func failure<E: Endpoint>(
    of endpoint: E, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Client.Error {
    let result = await result(of: endpoint)
    guard case .failure(let error) = result else {
      throw Unexpected(result: "\(result)")
    }
    return error
  }

  private struct Unexpected: Swift.Error {
    let result: String
  }
}
