import Foundation
import HTTPTypes

/// Implements `.coalescing`.
struct CoalescingMiddleware: Middleware {
  private typealias Outcome = Result<IncomingResponse, Client.Error>

  /// The parts of a request that must be equal for requests to share a response or an error.
  private struct Key: Hashable, Sendable {
    let request: OutgoingRequest

    static func == (one: Key, other: Key) -> Bool {
      let (one, other) = (one.request, other.request)
      // Fast path: a finished transfer looks up its own key.
      if one.isIdentical(to: other) { return true }
      return one.head.isBytewiseEqual(to: other.head) && one.sharedLimits == other.sharedLimits
        && one.redaction == other.redaction && one.cacheUse == other.cacheUse
        // Cross-origin requests get no credentials of the client.
        && one.isCrossOrigin == other.isCrossOrigin
        && one.declaration.redirects == other.declaration.redirects
        && one.declaration.acceptedStatuses == other.declaration.acceptedStatuses
        // A request that a user waits for must not wait for a prefetch.
        && one.declaration.priority == other.declaration.priority
    }

    func hash(into hasher: inout Hasher) {
      // Requests for the same path seldom differ in anything else.
      hasher.combine(request.head.path.map(Bytewise.init))
    }
  }

  /// The transfers in flight, each with the id of its call; `nil` if the call is not observed.
  private let flights = SingleFlight<Key, UInt64?, Outcome>()

  /// Sends a request, or waits for the response to an identical request.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let method = request.head.method
    // A request's own middlewares may send other credentials.
    guard method == .get || method == .head, request.body == nil, !request.isStreamed,
      request.declaration.middlewareChange == nil
    else {
      return try await next(request)
    }
    let key = Key(request: request)
    if let (follower, leader) = flights.join(key, as: request.call?.observation?.id) {
      let outcome: Outcome?
      do {
        outcome = try await request.wait(for: follower, as: .coalesced(with: leader))
      } catch {
        flights.removeFollower(key, follower)
        throw error
      }
      if let outcome { return try outcome.get() }
      flights.lead(key, as: request.call?.observation?.id)
    }
    return try await transfer(request, key, next)
  }

  /// Makes the transfer and passes its outcome to all waiting requests.
  private func transfer(
    _ request: OutgoingRequest, _ key: Key, _ next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    do throws(Client.Error) {
      let response = try await next(request)
      if response.isWhole(for: request) {
        flights.finish(key, .success(response))
        return response
      }
      // Complete, so that all waiting requests can read it.
      var whole = response
      whole.body = ResponseBody(try await response.contents(for: request))
      flights.finish(key, .success(whole))
      return whole
    } catch {
      switch error {
      case .timeout(let failure) where failure.limit != .total: flights.finish(key, .failure(error))
      // Only this call ended; the other calls still need a response.
      case .cancelled, .timeout, .notSent: flights.handOver(key)
      default: flights.finish(key, .failure(error))
      }
      throw error
    }
  }
}

extension OutgoingRequest {
  /// The limits that must be equal for requests to share a transfer; ``Limits/total`` belongs to each
  /// call.
  var sharedLimits: Limits {
    var limits = limits
    limits.total = nil
    return limits
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Lets identical `GET` and `HEAD` requests that are in flight at the same time share one transfer
  /// (single-flight).
  ///
  /// Identical requests have the same method, URL, header fields, limits (except ``Limits/total``) and
  /// priority, and no middlewares of their own. Requests with different credentials never share a
  /// transfer, no user waits for a prefetch, and streams and downloads are never shared. List it before
  /// the middlewares that add credentials and before `.retrying()`.
  ///
  /// The first request makes the transfer, and the others wait for its response. When the first request
  /// is cancelled, runs out of its total time or must not wait as long as the server requires, the next
  /// request is sent instead. When the last request is cancelled, the transfer is cancelled.
  public static var coalescing: Self { Self(CoalescingMiddleware()) }
}
