// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
public import Testing

extension Client.Error {
  public var transportFailure: Client.TransportFailure? {
    if case .transport(let failure) = self { failure } else { nil }
  }
  public var timeoutFailure: Client.TimeoutFailure? {
    if case .timeout(let failure) = self { failure } else { nil }
  }
  public var statusFailure: Client.StatusFailure? {
    if case .status(let failure) = self { failure } else { nil }
  }
  public var decodingFailure: Client.DecodingFailure? {
    if case .decoding(let failure) = self { failure } else { nil }
  }
  public var encodingFailure: Client.RequestFailure? {
    if case .encoding(let failure) = self { failure } else { nil }
  }
  public var invalidRequest: Client.RequestFailure? {
    if case .invalidRequest(let failure) = self { failure } else { nil }
  }
  public var tooLarge: Client.TooLargeFailure? {
    if case .tooLarge(let failure) = self { failure } else { nil }
  }
  public var fileFailure: Client.FileFailure? {
    if case .file(let failure) = self { failure } else { nil }
  }
  public var redirectFailure: Client.RedirectFailure? {
    if case .redirect(let failure) = self { failure } else { nil }
  }
  public var holdFailure: Client.NotSentFailure? {
    if case .notSent(let failure) = self { failure } else { nil }
  }
  public var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension Result {
  public var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension Client {
  /// Sends an endpoint that must fail, and returns its error.
  public func failure<E: Endpoint>(
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
