extension Client {
  /// Marks the stored responses of an endpoint as outdated, for example after a write that changed the
  /// resource.
  ///
  /// They are validated before their next use:
  ///
  /// ```swift
  /// try await github.send(GitHub.star(name))
  /// await github.invalidate(GitHub.starred(), andBelow: true)      // with all its pages
  /// ```
  ///
  /// Does nothing without a cache.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint whose responses are invalidated.
  ///   - andBelow: Whether to include URLs that begin with the endpoint's path, with any query.
  public func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) async {
    guard let cache = configuration.cache,
      let request = try? requestWithoutBody(for: endpoint)
    else { return }
    let url = andBelow ? String(request.url.prefix { $0 != "?" }) : request.cacheURL
    await cache.invalidate(url, andBelow: andBelow, redaction: request.redaction)
  }
}
