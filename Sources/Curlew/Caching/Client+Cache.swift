public import CurlewSupport
import Foundation

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

/// An iterator over the values of an endpoint: the stored value, then the current value if it differs;
/// for ``Client/values(of:)``.
struct CachedValues<Value: Sendable>: AsyncIteratorProtocol {
  private enum Step {
    case stored
    case current(Data?)
    case end
  }

  /// A value with the bytes that it was decoded from.
  private typealias Loaded = (value: Dated<Value>, data: Data)

  private let load: (CacheUse, Data?) async throws(Client.Error) -> Loaded?
  private var step = Step.stored

  init<E: Endpoint<Value>>(_ client: Client, _ endpoint: E) {
    load = { use, known async throws(Client.Error) in
      try await client.load(endpoint, use, unless: known)
    }
  }

  mutating func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Client.Error) -> Dated<Value>? {
    if case .stored = step {
      if let stored = try await stored() {
        step = .current(stored.data)
        return stored.value
      }
      step = .current(nil)
    }
    guard case .current(let known) = step else { return nil }
    step = .end
    return try await load(CacheUse(isCurrent: true), known)?.value
  }

  private func stored() async throws(Client.Error) -> Loaded? {
    do {
      return try await load(CacheUse(mode: .cacheOnly), nil)
    } catch {
      if case .cancelled = error { throw error }
      return nil
    }
  }
}

extension Client {
  /// Returns a value and the bytes that it was decoded from; `nil` if these bytes equal the known bytes.
  @concurrent
  func load<E: Endpoint>(
    _ endpoint: E, _ use: CacheUse, unless known: Data?
  ) async throws(Error) -> (Dated<E.Response>, Data)? {
    // A read from the cache only is not observed: a miss is no failure, and the request that follows is
    // observed.
    var use = use
    if configuration.cacheMode == .cacheOnly { use.mode = .cacheOnly }
    use.mode = use.mode.unlessReloading
    let declaration = endpoint.request
    let request = try request(
      declaration, of: endpoint, isObserved: use.mode != .cacheOnly || known != nil, cache: use)
    return try await exchange(request) { response, sent async throws(Error) in
      let data = try await response.contents(for: sent)
      guard data != known else { return nil }
      let value = try self.value(data, declaration.decoding, in: response, to: sent, for: request)
      return (Dated(value, asOf: response.cached.asOf), data)
    }
  }
}
