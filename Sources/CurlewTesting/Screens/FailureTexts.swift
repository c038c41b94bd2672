public import CurlewScreens

// Two failures are equal only if they are the same one; a test knows what they say.
extension LoadFailure {
  /// The failure by its text and retry time alone, equal to `LoadFailure(message:retryAfter:)`.
  public var textOnly: LoadFailure { LoadFailure(message: message, retryAfter: retryAfter) }
}

extension Loadable {
  /// The same with its failure, if any, by its text alone.
  ///
  /// ```swift
  /// #expect(state.results.textOnly == .failed(LoadFailure(message: "No network."), last: ["a"]))
  /// ```
  public var textOnly: Loadable {
    guard case .failed(let failure, let last) = phase else { return self }
    return .failed(failure.textOnly, last: last, asOf: asOf)
  }
}

extension FeedStatus {
  /// The same with its failure, if any, by its text alone.
  public var textOnly: FeedStatus {
    guard case .failed(let failure, let load) = self else { return self }
    return .failed(failure.textOnly, load)
  }
}
