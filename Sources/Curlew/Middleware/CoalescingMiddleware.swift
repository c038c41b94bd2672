import Foundation
import HTTPTypes
import Synchronization

/// Implements `.coalescing`.
struct CoalescingMiddleware: Middleware {
  private typealias Outcome = Result<IncomingResponse, Client.Error>

  /// A request that waits for the response to an identical one; it is resumed with `nil` to make the
  /// transfer itself.
  private typealias Follower = Waiter<Outcome?>

  /// The parts of a request that must be equal for requests to share a response or an error.
  private struct Key: Hashable {
    let request: OutgoingRequest

    init(_ request: OutgoingRequest) {
      self.request = request
    }

    static func == (one: Key, other: Key) -> Bool {
      let (one, other) = (one.request, other.request)
      // Fast path: a finished transfer looks up its own key.
      if one.isIdentical(to: other) { return true }
      return one.head == other.head && one.sharedLimits == other.sharedLimits
        && one.redaction == other.redaction
        // They get different credentials.
        && one.isCrossOrigin == other.isCrossOrigin
        && one.endpoint.redirects == other.endpoint.redirects
        && one.endpoint.acceptedStatuses == other.endpoint.acceptedStatuses
        // A request that a user waits for must not wait for a prefetch.
        && one.endpoint.priority == other.endpoint.priority
    }

    func hash(into hasher: inout Hasher) {
      // Requests for the same path seldom differ in anything else.
      hasher.combine(request.head.path)
    }
  }

  /// A transfer in flight.
  private struct Flight {
    /// The call that makes it; `nil` if it is not observed.
    var leader: RequestEvent.CallID?
    /// The requests that wait for it.
    var followers: [Follower] = []
  }

  private let inFlight = InFlight()

  private final class InFlight: Sendable {
    let table = Mutex<[Key: Flight]>([:])
  }

  /// Creates a middleware.
  init() {}

  /// Sends a request, or waits for the response to an identical one.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let method = request.head.method
    // Middlewares of its own may send other credentials.
    guard method == .get || method == .head, request.body == nil, !request.isStreamed,
      request.endpoint.middleware == nil
    else {
      return try await next(request)
    }
    let key = Key(request)
    if let (follower, leader) = join(key) {
      let outcome: Outcome?
      do {
        outcome = try await request.wait(for: follower, as: .coalesced(with: leader))
      } catch {
        leave(key, follower)
        throw error
      }
      if let outcome { return try outcome.get() }
      inFlight.table.withLock { $0[key]?.leader = request.observation?.id }
    }
    return try await transfer(request, key, next)
  }

  /// Joins the identical request that is in flight; returns `nil` if there is none.
  private func join(_ key: Key) -> (Follower, leader: RequestEvent.CallID?)? {
    inFlight.table.withLock { table in
      guard let flight = table[key] else {
        table[key] = Flight(leader: key.request.observation?.id)
        return nil
      }
      let follower = Follower()
      table[key]?.followers.append(follower)
      return (follower, flight.leader)
    }
  }

  private func leave(_ key: Key, _ follower: Follower) {
    inFlight.table.withLock { $0[key]?.followers.removeAll { $0 === follower } }
  }

  /// Makes the transfer and passes its outcome to all requests that wait for it.
  private func transfer(
    _ request: OutgoingRequest, _ key: Key, _ next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    do throws(Client.Error) {
      var response = try await next(request)
      // Complete, so that each of them can read it.
      response.body = ResponseBody(try await response.contents(for: request))
      finish(key, .success(response))
      return response
    } catch {
      switch error {
      case .timeout(let failure) where failure.limit != .total: finish(key, .failure(error))
      // Only this call ended; the others still want a response.
      case .cancelled, .timeout, .notSent: handOver(key)
      default: finish(key, .failure(error))
      }
      throw error
    }
  }

  private func finish(_ key: Key, _ outcome: Outcome) {
    let flight = inFlight.table.withLock { $0.removeValue(forKey: key) }
    for follower in flight?.followers ?? [] { follower.resume(with: .success(outcome)) }
  }

  /// Lets the next request that waits make the transfer; removes the entry if there is none.
  private func handOver(_ key: Key) {
    while true {
      let follower = inFlight.table.withLock { table -> Follower? in
        guard table[key]?.followers.isEmpty == false else {
          table[key] = nil
          return nil
        }
        return table[key]?.followers.removeFirst()
      }
      guard let follower else { return }
      if follower.resume(with: .success(nil)) { return }
    }
  }
}

extension OutgoingRequest {
  /// The limits that must be equal for requests to share a transfer; ``Limits/total`` belongs to each
  /// call.
  fileprivate var sharedLimits: Limits {
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
  /// The first request makes the transfer, and the others wait for its response. When the first one is
  /// cancelled, runs out of its total time or must not wait as long as the server asks, the next one
  /// sends the request again. When the last one is cancelled, the transfer is cancelled.
  public static var coalescing: Self { Self(CoalescingMiddleware()) }
}
