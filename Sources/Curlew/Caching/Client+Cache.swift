public import CurlewSupport

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
      let request = try? request(for: endpoint, isObserved: false)
    else { return }
    let url = andBelow ? String(request.url.prefix { $0 != "?" }) : request.cacheURL
    await cache.invalidate(url, andBelow: andBelow, redaction: request.redaction)
  }

  /// Returns the values of an endpoint as a sequence: the stored value, if there is any, before a request is
  /// sent; then the current value, if it differs.
  ///
  /// ```swift
  /// for try await issues in github.values(of: GitHub.issues(of: name)) {
  ///   show(issues.value, from: issues.asOf)
  /// }
  /// ```
  ///
  /// When the sequence ends, its last value is current: fresh in the cache, validated or new. If there is no
  /// current value, for example because the server can't be reached or fails, the sequence throws after the
  /// stored value. A stored value that can't be decoded is skipped.
  ///
  /// Each iteration starts from the beginning. Cancelling the iterating task cancels the request.
  public func values<E: Endpoint>(
    of endpoint: E
  ) -> EndpointValues<E> { EndpointValues(client: self, endpoint: endpoint) }
}

/// The sequence of an endpoint's values: see ``Client/values(of:)``.
public struct EndpointValues<E: Endpoint>: AsyncSequence, Sendable {
  /// A value with its date.
  public typealias Element = Dated<E.Response>
  /// The error that ends the sequence.
  public typealias Failure = Client.Error

  let client: Client
  let endpoint: E

  /// Returns an iterator; sends no request yet.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Dated<E.Response>, Client.Error>
    & SendableMetatype
  {
    CachedValues(client, endpoint)
  }
}
