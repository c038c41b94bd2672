package import Foundation
import HTTPTypes

extension Client {
  /// The identity of a request in a store, from the request before the middlewares.
  package struct RequestIdentity: Hashable, Sendable {
    /// The method, URL and the endpoint's own header fields, with fingerprints instead of secrets.
    package let request: String
    /// The URL in the client's cache.
    package let url: String
    /// The request's account in the client's cache.
    package let account: String?
    /// Whether the method is safe and the response can be shared: `GET` or `HEAD` without a body.
    package let isReadOnly: Bool
  }

  /// The properties of a response that a store reads.
  package struct Reading: Sendable {
    /// The identity of the body in the cache; `nil` if it is not cached.
    package let id: UUID?
    /// The date when the request was sent; `nil` without a cache.
    package let requestTime: Date?
    /// Whether the response was served from the cache, or shares another request's response.
    package let isFromCache: Bool
    /// The date when the server sent or validated the response; `nil` without a cache.
    package let asOf: Date?
    /// The number of whole seconds for which the response stays fresh; `nil` if it must be validated, or
    /// without a cache.
    package let timeToLive: Int?
    /// The size of the body in bytes.
    package let size: Int
  }

  /// Returns the identity of an endpoint's request.
  ///
  /// - Throws: ``Client/Error`` for a request that can't be created.
  package func identity<E: Endpoint>(of endpoint: E) throws(Error) -> RequestIdentity {
    let declaration = endpoint.request
    let request = try requestWithoutBody(for: endpoint)
    let redaction = request.redaction
    let url = redaction.fingerprinting(url: request.cacheURL)
    var text = "\(request.head.method) \(url)"
    for field in declaration.headerFields {
      let isSecret = redaction.credentials.contains(field.name)
      text +=
        "\n\(field.name.canonicalName): \(isSecret ? StableHash.of(field.value) : field.value)"
    }
    let method = request.head.method
    return RequestIdentity(
      request: text, url: url, account: configuration.cache?.account?(request),
      isReadOnly: (method == .get || method == .head) && declaration.body.encode == nil)
  }

  /// Loads the response of an endpoint for a store.
  ///
  /// - Parameters:
  ///   - isStored: Whether to read only the cache, at any age: no request is sent, and `nil` is returned
  ///     if there is no usable response. Otherwise the response is current: fresh, validated or new.
  ///   - known: The identity of the body that the store already has.
  /// - Returns: The response, without a value if its body is the known body, which is not decoded again.
  @concurrent
  package func read<E: Endpoint>(
    _ endpoint: E, stored isStored: Bool, unless known: UUID? = nil
  ) async throws(Error) -> (response: Response<E.Response>?, reading: Reading)? {
    var use = isStored ? CacheUse(mode: .cacheOnly) : CacheUse(isCurrent: true)
    if isStored, configuration.cache == nil { return nil }
    if configuration.cacheMode == .cacheOnly { use.mode = .cacheOnly }
    use.mode = use.mode.unlessReloading
    let declaration = endpoint.request
    let request = try request(declaration, of: endpoint, isObserved: !isStored, cache: use)
    do throws(Error) {
      return try await exchange(request) { response, sent async throws(Error) in
        let id = response.cached.storedID ?? response.cached.servedID
        var (value, size): (Response<E.Response>?, Int) = (nil, 0)
        if id == nil || id != known {
          let data = try await response.contents(for: sent)
          let decoded = try self.value(
            data, declaration.decoding, in: response, to: sent, for: request)
          (value, size) = (Response(value: decoded, response, to: sent), data.count)
        }
        let mustValidate =
          response.head.headerFields.cacheControl.noCache || response.cached.isServedOutdated
        let reading = Reading(
          id: id, requestTime: response.cached.requestTime,
          isFromCache: response.cacheStatus.map { $0.isHit || $0.isCollapsed } ?? false,
          asOf: response.cached.asOf,
          timeToLive: mustValidate ? nil : response.cacheStatus?.timeToLive, size: size)
        return (value, reading)
      }
    } catch {
      if case .cancelled = error { throw error }
      guard isStored else { throw error }
      return nil
    }
  }
}
