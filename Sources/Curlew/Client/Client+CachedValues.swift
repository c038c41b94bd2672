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
    return try await exchange(request) { response, sent async throws(Error) in
      let data = try await response.contents(for: sent)
      guard data != known else { return nil }
      let value = try self.value(data, declaration.decoding, in: response, to: sent, for: request)
      return (Dated(value, asOf: response.asOf), data)
    }
  }
}
