import CurlewSupport
import Foundation

extension Client {
  /// Returns a value and the bytes that it was decoded from; `nil` if these bytes equal the known bytes.
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
    let decoding = declaration.decoding
    return try await request.observed { () async throws(Error) -> (Dated<E.Response>, Data)? in
      try await call(request) { chain async throws(Error) -> (Dated<E.Response>, Data)? in
        try await self.load(request, decoding, chain, unless: known)
      }
    }
  }

  @concurrent
  private func load<Value>(
    _ request: OutgoingRequest, _ decoding: ResponseDecoding<Value>, _ chain: Chain,
    unless known: Data?
  ) async throws(Error) -> (Dated<Value>, Data)? {
    let (response, sent) = try await acceptedResponse(to: request, through: chain)
    let data = try await response.contents(for: sent)
    guard data != known else { return nil }
    let value = try decode(data, decoding, in: response.head, of: sent)
    request.report(.decoded(bytes: data.count))
    return (Dated(value, asOf: response.asOf), data)
  }
}
