public import CurlewSupport

extension Client {
  /// Marks what is stored of an endpoint as out of date, as after a write that changed what it returns.
  ///
  /// The server is asked before it is used again:
  ///
  /// ```swift
  /// try await github.send(GitHub.star(name))
  /// await github.invalidate(GitHub.starred(), andBelow: true)      // with all its pages
  /// ```
  ///
  /// Does nothing without a cache.
  ///
  /// - Parameter andBelow: Whether everything is meant whose URL begins with the endpoint's path, whatever
  ///   its query.
  public func invalidate<E: Endpoint>(_ endpoint: E, andBelow: Bool = false) async {
    guard let cache = configuration.cache,
      let request = try? request(for: endpoint, isObserved: false)
    else { return }
    let url = andBelow ? String(request.url.prefix { $0 != "?" }) : request.cacheURL
    await cache.invalidate(url, andBelow: andBelow, redaction: request.redaction)
  }

  /// Returns the values of an endpoint, one after the other: the stored one, if there is one, before any
  /// request leaves; then the current one, if it differs.
  ///
  /// ```swift
  /// for try await issues in github.values(of: GitHub.issues(of: name)) {
  ///   show(issues.value, from: issues.asOf)
  /// }
  /// ```
  ///
  /// When the sequence ends, its last value is current: fresh in the cache, validated or new. If there is no
  /// current one, as when the server can't be reached or fails, the sequence throws after the stored value. A
  /// stored value that can't be decoded any more is left out.
  ///
  /// Each iteration begins anew. Cancelling the task that iterates stops the request.
  public func values<E: Endpoint>(
    of endpoint: E
  ) -> EndpointValues<E> { EndpointValues(client: self, endpoint: endpoint) }
}

/// The values of an endpoint, one after the other: see ``Client/values(of:)``.
public struct EndpointValues<E: Endpoint>: AsyncSequence, Sendable {
  /// A value, and how old it is.
  public typealias Element = Dated<E.Response>
  /// The error that ends it.
  public typealias Failure = Client.Error

  let client: Client
  let endpoint: E

  /// Returns an iterator, which has not requested anything yet.
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<Dated<E.Response>, Client.Error>
    & SendableMetatype
  {
    CachedValues(client, endpoint)
  }
}
