import Foundation
import HTTPTypes
import Synchronization

/// What `.coalescing` does.
struct CoalescingMiddleware: Middleware {
  private typealias Outcome = Result<(HTTPResponse, Data, OutgoingRequest?), Client.Error>

  /// One who waits for the response of an identical request; `nil` hands over the transfer.
  private typealias Follower = Waiter<Outcome?>

  /// What must be equal for requests to get the same response or error.
  private struct Key: Hashable {
    let request: OutgoingRequest

    init(_ request: OutgoingRequest) {
      self.request = request
    }

    static func == (one: Key, other: Key) -> Bool {
      let (one, other) = (one.request, other.request)
      // A transfer that lands finds its own key: nearly always, nothing else is there.
      if one.isIdentical(to: other) { return true }
      return one.head == other.head && one.sharedLimits == other.sharedLimits
        && one.redaction == other.redaction
        && one.endpoint.redirects == other.endpoint.redirects
        && one.endpoint.acceptedStatuses == other.endpoint.acceptedStatuses
        // Who waits for it must not wait behind others' prefetches.
        && one.endpoint.priority == other.endpoint.priority
    }

    func hash(into hasher: inout Hasher) {
      // Other fields seldom differ where the path does not.
      hasher.combine(request.head.path)
    }
  }

  private let flights = InFlight()

  private final class InFlight: Sendable {
    /// Who waits for each transfer under way.
    let table = Mutex<[Key: [Follower]]>([:])
  }

  /// Creates a middleware.
  init() {}

  /// Sends a request, or waits for the response to an identical one.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let method = request.head.method
    guard method == .get || method == .head, request.body == nil else {
      return try await next(request)
    }
    let key = Key(request)
    if let follower = join(key) {
      let outcome: Outcome?
      do {
        outcome = try await request.wait(for: follower)
      } catch {
        leave(key, follower)
        throw error
      }
      if let outcome { return try response(from: outcome.get()) }
    }
    return try await lead(request, key, next)
  }

  /// Joins the identical request that is in flight; returns `nil` when there is none.
  private func join(_ key: Key) -> Follower? {
    flights.table.withLock { table in
      guard table[key] != nil else {
        table[key] = []
        return nil
      }
      let follower = Follower()
      table[key]?.append(follower)
      return follower
    }
  }

  private func leave(_ key: Key, _ follower: Follower) {
    flights.table.withLock { $0[key]?.removeAll { $0 === follower } }
  }

  /// Makes the transfer and hands its response to all who wait.
  private func lead(
    _ request: OutgoingRequest, _ key: Key, _ next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    do throws(Client.Error) {
      let response = try await next(request)
      let shared = (response.head, try await response.contents(for: request), response.request)
      land(key, .success(shared))
      return self.response(from: shared)
    } catch {
      switch error {
      case .timeout(let failure) where failure.limit != .total: land(key, .failure(error))
      // This one's own end is not the others'.
      case .cancelled, .timeout, .notSent: handOver(key)
      default: land(key, .failure(error))
      }
      throw error
    }
  }

  private func land(_ key: Key, _ outcome: Outcome) {
    let followers = flights.table.withLock { $0.removeValue(forKey: key) }
    for follower in followers ?? [] { follower.resume(with: .success(outcome)) }
  }

  /// Has the next one who waits make the transfer; ends it when nobody waits.
  private func handOver(_ key: Key) {
    while true {
      let heir = flights.table.withLock { table -> Follower? in
        guard table[key]?.isEmpty == false else {
          table[key] = nil
          return nil
        }
        return table[key]?.removeFirst()
      }
      guard let heir else { return }
      if heir.resume(with: .success(nil)) { return }
    }
  }

  private func response(
    from shared: (HTTPResponse, Data, OutgoingRequest?)
  ) -> IncomingResponse {
    var response = IncomingResponse(head: shared.0, body: ResponseBody(shared.1))
    response.request = shared.2
    return response
  }
}

extension OutgoingRequest {
  /// The limits that decide how a shared transfer ends; how long a call takes in all is its own matter.
  fileprivate var sharedLimits: Limits {
    var limits = limits
    limits.total = nil
    return limits
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Lets identical `GET` and `HEAD` requests that are in flight at the same time share one transfer.
  ///
  /// Identical requests have the same method, URL, header fields, limits (but ``Limits/total``) and
  /// priority: never different credentials, and nobody waits behind another one's prefetch. List it
  /// before the middlewares that add credentials and before `.retrying()`.
  ///
  /// The first request makes the transfer, the others wait for its response. When the first one is
  /// cancelled, runs out of its total time or may not wait as long as a server asks, the next one sends
  /// the request again. With the last one the transfer ends.
  public static var coalescing: Self { Self(CoalescingMiddleware()) }
}
