import Foundation
import HTTPTypes
import Synchronization

/// Lets identical `GET` and `HEAD` requests that are in flight at the same time share one transfer.
///
/// Identical are requests with the same method, URL, header fields, limits of size and priority: never
/// those with different credentials, and nobody waits behind another one's prefetch. Stand it before
/// the middlewares that add credentials and before `.retrying()`.
///
/// The first request makes the transfer, the others wait for its answer. When the first one is
/// cancelled, runs out of time or may not wait as long as a server asks, the next one sends anew:
/// nobody else fails with it. With the last one the transfer ends.
public struct CoalescingMiddleware: PunctualMiddleware {
  private typealias Outcome = Result<(HTTPResponse, Data, OutgoingRequest?), Client.Error>

  /// A transfer, and who waits for it.
  private struct Flight {
    var followers: [Follower] = []
  }

  private final class Follower: Sendable {
    let turn = Turn()
    private let outcome = Mutex<Outcome?>(nil)

    /// Hands the answer over, or with `nil` the transfer; returns whether it is still wanted.
    func go(with result: Outcome?) -> Bool {
      outcome.withLock { $0 = result }
      return turn.go()
    }

    /// The answer; `nil` when this one is to make the transfer.
    var answer: Outcome? { outcome.withLock { $0 } }
  }

  /// What must be equal for requests to be answered alike, their errors included.
  private struct Key: Hashable {
    let request: OutgoingRequest

    init(_ request: OutgoingRequest) {
      self.request = request
    }

    static func == (one: Key, other: Key) -> Bool {
      let (one, other) = (one.request, other.request)
      // A transfer that lands finds its own key: nearly always, nothing else is there.
      if one.isIdentical(to: other) { return true }
      return one.head == other.head && one.limits.bodySize == other.limits.bodySize
        && one.limits.headerSize == other.limits.headerSize
        && one.limits.redirects == other.limits.redirects && one.redaction == other.redaction
        // Who waits for it must not wait behind others' prefetches.
        && one.endpoint.priority == other.endpoint.priority
    }

    func hash(into hasher: inout Hasher) {
      // Other fields seldom differ where the path does not.
      hasher.combine(request.head.path)
    }
  }

  private let flights = Flights()

  private final class Flights: Sendable {
    let table = Mutex<[Key: Flight]>([:])
  }

  /// How many transfers are under way, and how many requests wait for their answers.
  package var status: (transfers: Int, waiting: Int) {
    flights.table.withLock { ($0.count, $0.values.reduce(0) { $0 + $1.followers.count }) }
  }

  /// Creates a middleware.
  public init() {}

  /// Sends a request, or waits for the answer to an identical one.
  public func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    let method = request.head.method
    guard method == .get || method == .head, request.body == nil else {
      return try await next(request)
    }
    let key = Key(request)
    if let follower = join(key) {
      do {
        try await request.wait(for: follower.turn)
      } catch {
        leave(key, follower)
        throw error
      }
      if let answer = follower.answer { return try response(from: answer.get()) }
    }
    return try await lead(request, key, next)
  }

  /// Joins the flight of an identical request; begins one when there is none.
  private func join(_ key: Key) -> Follower? {
    flights.table.withLock { table in
      guard table[key] != nil else {
        table[key] = Flight()
        return nil
      }
      let follower = Follower()
      table[key]?.followers.append(follower)
      return follower
    }
  }

  private func leave(_ key: Key, _ follower: Follower) {
    flights.table.withLock { $0[key]?.followers.removeAll { $0 === follower } }
  }

  /// Makes the transfer and hands its answer to all who wait.
  private func lead(
    _ request: OutgoingRequest, _ key: Key, _ next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    do throws(Client.Error) {
      let response = try await next(request)
      let answer = (response.head, try await response.contents(for: request), response.request)
      land(key, .success(answer))
      return self.response(from: answer)
    } catch {
      switch error {
      // This one's own end is not the others'.
      case .cancelled, .timeout, .heldBack: handOver(key)
      default: land(key, .failure(error))
      }
      throw error
    }
  }

  private func land(_ key: Key, _ outcome: Outcome) {
    let flight = flights.table.withLock { $0.removeValue(forKey: key) }
    for follower in flight?.followers ?? [] { _ = follower.go(with: outcome) }
  }

  /// Has the next one who waits make the transfer; ends the flight when nobody waits.
  private func handOver(_ key: Key) {
    while true {
      let heir = flights.table.withLock { table -> Follower? in
        guard table[key]?.followers.isEmpty == false else {
          table[key] = nil
          return nil
        }
        return table[key]?.followers.removeFirst()
      }
      guard let heir else { return }
      if heir.go(with: nil) { return }
    }
  }

  private func response(
    from answer: (HTTPResponse, Data, OutgoingRequest?)
  ) -> IncomingResponse {
    var response = IncomingResponse(head: answer.0, body: ResponseBody(answer.1))
    response.request = answer.2
    return response
  }
}

extension Middleware where Self == CoalescingMiddleware {
  /// Lets identical requests in flight share one transfer.
  public static var coalescing: Self { Self() }
}
