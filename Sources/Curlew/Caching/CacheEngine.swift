import Foundation
import HTTPTypes
import Synchronization

/// Serves a client's requests from its cache, and stores their responses (RFC 9111).
///
/// It runs after the redirect handling, so that each response of a redirect chain is stored under its own URL,
/// and before the network middlewares, so that hits don't count against their limits.
final class CacheEngine: Sendable {
  /// A function that passes a request on to the network middlewares.
  typealias Next =
    @Sendable (OutgoingRequest) async throws(Client.Error) -> IncomingResponse

  /// The outcome of a validation, for the requests that waited for it.
  enum Validation: Sendable {
    /// The validated response, or a new response, is in the cache.
    case stored(StoredResponse.ID)
    /// The response is not in the cache: each request needs its own response.
    case notStored
    /// The server failed, and the stale response is served with this status.
    case stale(CacheStatus)
    case failed(Client.Error)
  }

  /// The properties that must be equal for requests to share a validation.
  struct ValidationKey: Hashable, Sendable {
    let key: CacheKey
    let request: CachePolicy.Request
    let id: StoredResponse.ID
    /// Limits must match: exceeding one fails only that request.
    ///
    /// ``Limits/total`` belongs to each call.
    let limits: Limits
    /// A request that a user waits for must not wait for a prefetch.
    let priority: RequestPriority

    init(_ lookup: CacheLookup, _ id: StoredResponse.ID, of request: OutgoingRequest) {
      (key, self.request, self.id) = (lookup.key, lookup.request, id)
      (limits, priority) = (request.sharedLimits, request.declaration.priority)
    }
  }

  let cache: ResponseCache
  let timers: TimerTable
  let validations = SingleFlight<ValidationKey, UInt64?, Validation>()
  /// The running background validations: one per lookup, however often its response is served meanwhile.
  let backgroundValidations = Mutex<Set<CacheLookup>>([])

  init(_ cache: ResponseCache, _ timers: TimerTable) {
    (self.cache, self.timers) = (cache, timers)
  }

  var storage: any CacheStorage { cache.storage }
  var policy: CachePolicy { cache.policy }

  /// Whether a stale response may be served when the server can't be reached.
  func mayServeOffline(_ request: OutgoingRequest) -> Bool {
    cache.maximumOfflineStaleness > .zero && request.cacheUse == CacheUse()
      && (request.head.method == .get || request.head.method == .head) && request.body == nil
  }

  /// A function that is called with a response that is served without a request on the wire.
  typealias Served = @Sendable (IncomingResponse, OutgoingRequest) -> Void

  /// Returns the response to a request: a stored response, or the result of `next`.
  func send(
    _ request: OutgoingRequest, next: @escaping Next, served: @escaping Served
  ) async throws(Client.Error) -> IncomingResponse {
    let exchange = CacheExchange(self, request, next, served)
    let method = request.head.method
    guard method == .get || method == .head, request.body == nil else {
      return try await exchange.passThrough()
    }
    return try await exchange.run()
  }
}
