import Curlew

extension Client.Error {
  var transportFailure: Client.TransportFailure? {
    if case .transport(let failure) = self { failure } else { nil }
  }
  var timeoutFailure: Client.TimeoutFailure? {
    if case .timeout(let failure) = self { failure } else { nil }
  }
  var statusFailure: Client.StatusFailure? {
    if case .status(let failure) = self { failure } else { nil }
  }
  var decodingFailure: Client.DecodingFailure? {
    if case .decoding(let failure) = self { failure } else { nil }
  }
  var encodingFailure: Client.EncodingFailure? {
    if case .encoding(let failure) = self { failure } else { nil }
  }
  var invalidRequest: Client.InvalidRequestFailure? {
    if case .invalidRequest(let failure) = self { failure } else { nil }
  }
  var tooLarge: Client.TooLargeFailure? {
    if case .tooLarge(let failure) = self { failure } else { nil }
  }
  var redirectFailure: Client.RedirectFailure? {
    if case .redirect(let failure) = self { failure } else { nil }
  }
  var holdFailure: Client.NotSentFailure? {
    if case .notSent(let failure) = self { failure } else { nil }
  }
  var isCancelled: Bool {
    if case .cancelled = self { true } else { false }
  }
}

extension Result {
  var failure: Failure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
