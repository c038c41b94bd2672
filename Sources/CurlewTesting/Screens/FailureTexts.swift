public import CurlewScreens

// `LoadFailure` compares failures with errors by identity; tests compare their texts.
extension LoadFailure {
  /// A failure with only the text and retry time, equal to `LoadFailure(message:retryAfter:)`.
  public var textOnly: LoadFailure { LoadFailure(message: message, retryAfter: retryAfter) }
}

extension Loadable {
  /// The same value with a failure, if any, that has only its text and retry time.
  ///
  /// ```swift
  /// #expect(state.results.textOnly == .failed(LoadFailure(message: "No network."), last: ["a"]))
  /// ```
  public var textOnly: Loadable {
    guard case .failed(let failure, let last, let asOf) = self else { return self }
    return .failed(failure.textOnly, last: last, asOf: asOf)
  }
}

extension FeedStatus {
  /// The same value with a failure, if any, that has only its text and retry time.
  public var textOnly: FeedStatus {
    guard case .failed(let failure, let load) = self else { return self }
    return .failed(failure.textOnly, load)
  }
}
