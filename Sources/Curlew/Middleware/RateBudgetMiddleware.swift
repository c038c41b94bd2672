public import Foundation
public import HTTPTypes
import Synchronization

/// Implements `.rateBudget(_:maximumDelay:)`.
struct RateBudgetMiddleware: Middleware, NetworkMiddleware {
  let budget: RateBudget
  let maximumDelay: Duration?

  /// Sends a request when its server's rate limit allows it.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = budget.scope(request)
    var waited = Duration.zero
    while true {
      switch budget.decide(host, request) {
      case .pause(let duration):
        waited += duration
        let isTooLong = maximumDelay.map { waited > $0 } ?? false
        if isTooLong || request.timeLeft.map({ $0 <= duration }) ?? false {
          throw .notSent(
            Client.NotSentFailure(
              request: request.description, reason: .rateLimit, retryAfter: duration))
        }
        try await request.wait(for: duration, as: .waitingForRateLimit(duration))
      case .wait(let waiter):
        do throws(Client.Error) {
          try await request.wait(for: waiter, as: .waitingForRateLimit(nil))
        } catch {
          budget.removeWaiter(host, waiter)
          throw error
        }
      case .take(let batch):
        budget.add(await batch.request(host), of: batch, to: host)
      case .send(let isProbe):
        do throws(Client.Error) {
          let response = try await next(request)
          if response.head.status.kind == .successful {
            budget.record(host, response.head, nil, isProbe: isProbe)
            return response
          }
          var refusal = response
          let advice = try await refusal.retryAdvice(for: request, now: budget.date())
          budget.record(host, refusal.head, advice, isProbe: isProbe)
          return refusal
        } catch {
          budget.record(host, nil, nil, isProbe: isProbe)
          throw error
        }
      }
    }
  }
}

extension NetworkMiddleware where Self == StandardMiddleware {
  /// Obeys the rate limits that servers report, so that requests wait instead of being rejected.
  ///
  /// It reads `X-RateLimit-*` and `X-Rate-Limit-*`, the IETF's `RateLimit` fields, and 429 and 403 with
  /// `Retry-After` or GitHub's message about its secondary limit. When the limit is used up, further
  /// requests wait for the reset; then one request is sent as a probe, and the others follow when it is
  /// accepted.
  ///
  /// List it before `.concurrency(_:)`: a waiting request must not occupy a slot there.
  ///
  /// - Parameters:
  ///   - budget: The known limits; share it between clients of the same server.
  ///   - maximumDelay: The maximum total wait of a request. A request that would have to wait longer,
  ///     or longer than the call's time allows, fails at once with ``Client/Error/notSent(_:)``, which
  ///     contains the time until a retry; `nil` for no maximum other than the call's time. A few
  ///     seconds suit a user, an hour suits a background job.
  public static func rateBudget(
    _ budget: RateBudget = RateBudget(), maximumDelay: Duration? = nil
  ) -> Self { Self(RateBudgetMiddleware(budget: budget, maximumDelay: maximumDelay)) }
}

/// The known rate limits of servers, shared by all requests of a client.
///
/// By default, all requests to a server count against one limit. For a server with several limits, such
/// as GitHub, which has separate limits for searches and for other requests, a scope tells the requests
/// apart.
///
/// ```swift
/// let budget = RateBudget(scope: { request in
///   let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
///   return path.hasPrefix("/search/") ? "\(host) search" : host
/// })
/// ```
public final class RateBudget: Sendable {
  /// The next step of a request.
  enum Decision {
    /// The request is sent; as a probe if it is the first after a pause.
    case send(isProbe: Bool)
    /// The request waits for this time, until the limit resets.
    case pause(Duration)
    /// The request waits for the response to another request.
    case wait(Waiter<Void>)
    /// The request asks for units of a limit that several servers share.
    case take(UnitBatch)
  }

  private struct Host {
    var limit: RateLimit?
    /// The time at which the limit resets.
    var resetAt: Duration?
    var pausedUntil: Duration?
    /// Whether a probe is in flight, which shows if the server accepts requests again.
    var isProbing = false
    var inFlight = 0
    var waiters: [(waiter: Waiter<Void>, priority: RequestPriority)] = []
    /// The units that this server has; `nil` without a function for units.
    var units: SharedUnits?

    /// Returns whether the limits have expired and no request is in flight or waits.
    func isExpired(at now: Duration) -> Bool {
      inFlight == 0 && waiters.isEmpty
        && [pausedUntil, resetAt].allSatisfy { $0.map { $0 <= now } ?? true }
    }

    mutating func forgetLimit(at now: Duration) {
      if let reset = resetAt, reset <= now { (limit, resetAt) = (nil, nil) }
    }

    /// Updates the limit with a newly reported limit.
    mutating func update(_ new: RateLimit, at now: Duration) {
      let reset = new.reset.map { now + min($0, RateBudget.maximumPause) }
      // Responses arrive in any order: within one window, the lowest number is the newest.
      let isSameWindow = resetAt.flatMap { old in
        reset.map { max($0 - old, old - $0) <= .seconds(1) }
      }
      var new = new
      if isSameWindow == true, let old = limit { new.remaining = min(old.remaining, new.remaining) }
      (limit, resetAt) = (new, reset)
    }

    /// Returns whether the limit allows one more request; a tenth is reserved for requests that a user
    /// waits for.
    func hasRoom(for priority: RequestPriority) -> Bool {
      guard let limit else { return true }
      let reserved = priority == .interactive ? 0 : max(1, (limit.limit ?? 0) / 10)
      return limit.remaining - inFlight > reserved
    }

    /// Ends the waits of requests, interactive requests first, unless they would only wait again;
    /// returns the requests, for the caller to resume without a lock.
    mutating func takeWaiters(at now: Duration) -> [Waiter<Void>.Ended] {
      let isPaused = pausedUntil.map { $0 > now } ?? false
      guard !isProbing, units?.isTaking != true,
        isPaused || inFlight == 0 || hasRoom(for: .interactive)
      else {
        return []
      }
      defer { waiters = [] }
      return [RequestPriority.interactive, .prefetch].flatMap { priority in
        waiters.filter { $0.priority == priority }.compactMap { $0.waiter.end() }
      }
    }
  }

  /// The maximum pause; after it, one request is sent as a probe.
  ///
  /// One hour: the longest window in common use. A wrong reset time can't block a server forever.
  private static let maximumPause: Duration = .seconds(3_600)

  /// The number of servers or scopes above which expired entries are removed: redirects may lead to
  /// ever more servers.
  private static let maxHosts = 1_000

  private struct State {
    var clock: SharedClock
    var hosts: [String: Host] = [:]
  }

  /// Returns the current date.
  let date: @Sendable () -> Date
  let scope: @Sendable (OutgoingRequest) -> String
  private let units: Units?
  private let state: Mutex<State>

  /// Creates a budget without any known limits.
  ///
  /// - Parameters:
  ///   - clock: The clock for waits; by default, the clock of the first client that uses the budget.
  ///   - now: Returns the current date, for limits that reset at a date.
  ///   - scope: Returns the name of the limit that a request counts against: the server, and a name that
  ///     distinguishes the server's limits. By default, the server alone.
  ///   - units: The units of a limit that this server shares with others, such as `Fleet.units`; by default it has the limit alone.
  public init(
    clock: (any Clock<Duration>)? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    scope: @escaping @Sendable (OutgoingRequest) -> String = { $0.head.authority ?? "" },
    units: Units? = nil
  ) {
    self.units = units
    state = Mutex(State(clock: SharedClock(clock)))
    date = now
    self.scope = scope
  }

  /// The current pauses of requests until a server's rate limit resets, the shortest first.
  ///
  /// The scope is the server (host, followed by the port unless it is the scheme's default), or the
  /// result of the budget's `scope` function.
  public var pauses: [(scope: String, remaining: Duration)] {
    state.withLock { state in
      let now = state.clock.now
      return state.hosts.compactMap { name, host -> (scope: String, remaining: Duration)? in
        guard let end = host.pausedUntil, end > now else { return nil }
        return (scope: name, remaining: end - now)
      }
    }.sorted { $0.remaining < $1.remaining }
  }

  /// Returns the last limit that a server reported, by the server or the scope; `nil` for none.
  func limit(of scope: String) -> RateLimit? { state.withLock { $0.hosts[scope]?.limit } }

  /// Returns the next step of a request, and counts the request if it is sent.
  func decide(_ name: String, _ request: OutgoingRequest) -> Decision {
    let priority = request.declaration.priority
    return state.withLock { state in
      let now = state.clock.now(adopting: request.clock)
      if state.hosts.count > Self.maxHosts {
        state.hosts = state.hosts.filter { !$0.value.isExpired(at: now) }
      }
      var host = state.hosts[name] ?? Host(units: units.map(SharedUnits.init))
      defer { state.hosts[name] = host }
      if let until = host.pausedUntil, until > now { return .pause(until - now) }
      host.forgetLimit(at: now)
      let wasPaused = host.pausedUntil != nil
      let isFull = !host.hasRoom(for: priority)
      let isTaking = host.units?.isTaking ?? false
      if host.isProbing || isTaking || (isFull && host.inFlight > 0) {
        let waiter = Waiter<Void>()
        host.waiters.append((waiter, priority))
        return .wait(waiter)
      }
      if isFull, !wasPaused, let reset = host.resetAt {
        let wait = min(reset - now, Self.maximumPause)
        // A prefetch doesn't pause other requests, which may use the reserved tenth.
        if priority == .interactive { host.pausedUntil = now + wait }
        return .pause(wait)
      }
      var isProbe = wasPaused
      switch host.units?.use(at: now) {
      case .take(let batch): return .take(batch)
      case .pause(let duration): return .pause(duration)
      case .probe: isProbe = true
      case .send, nil: break
      }
      host.isProbing = isProbe
      host.inFlight += 1
      return .send(isProbe: isProbe)
    }
  }

  /// Adds the units that this server got.
  func add(_ grant: Grant, of batch: UnitBatch, to name: String) {
    let woken = state.withLock { state -> [Waiter<Void>.Ended] in
      let now = state.clock.now
      state.hosts[name]?.units?.add(grant, of: batch, at: now)
      return state.hosts[name]?.takeWaiters(at: now) ?? []
    }
    for follower in woken { follower.resume() }
  }

  /// Removes a request that no longer waits.
  func removeWaiter(_ name: String, _ waiter: Waiter<Void>) {
    state.withLock { $0.hosts[name]?.waiters.removeAll { $0.waiter === waiter } }
  }

  /// Updates the limit with the response to a request that was sent; `nil` if there was none.
  func record(
    _ name: String, _ response: HTTPResponse?, _ advice: RetryAdvice?, isProbe: Bool
  ) {
    // Outside the lock, which all requests share.
    let limit = response?.headerFields.rateLimit(now: date())
    let woken = state.withLock { state -> [Waiter<Void>.Ended] in
      guard var host = state.hosts[name] else { return [] }
      let now = state.clock.now
      host.inFlight -= 1
      if response != nil {
        if let limit { host.update(limit, at: now) }
        host.units?.learn(limit)
        if case .rateLimited(let after?) = advice {
          host.pausedUntil = max(host.pausedUntil ?? .zero, now + min(after, Self.maximumPause))
        } else {
          if isProbe { host.pausedUntil = nil }
          // A limit without a reset time ends with the first response that reports no limit.
          if limit == nil, host.resetAt == nil { host.limit = nil }
        }
      }
      // After a probe without a response, the next request is the probe. Requests that were sent before
      // the pause don't change it.
      if isProbe { host.isProbing = false }
      host.forgetLimit(at: now)
      let woken = host.takeWaiters(at: now)
      state.hosts[name] = host
      return woken
    }
    for follower in woken { follower.resume() }
  }
}
