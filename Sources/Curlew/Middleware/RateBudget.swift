public import Foundation
public import HTTPTypes
import Synchronization

/// What a client knows of the rate limits of the servers that it talks to, shared by all its callers.
///
/// A server's requests are counted together, unless it has several limits side by side, as GitHub has
/// one for its searches and one for the rest: then a scope tells them apart.
///
/// ```swift
/// let budget = RateBudget(scope: { request in
///   let (host, path) = (request.head.authority ?? "", request.head.path ?? "")
///   return path.hasPrefix("/search/") ? "\(host) search" : host
/// })
/// ```
public final class RateBudget: Sendable {
  /// Requests that are held back for a while.
  public struct Pause: Sendable, Hashable {
    /// Which requests: those of a server (host, and port where it has an own one), or of the scope
    /// that the budget was made with.
    public let scope: String
    /// How long they are still held back.
    public let remaining: Duration
  }

  /// What a request does next.
  enum Decision {
    /// It is sent; as the probe, alone, after a hold.
    case go(isProbe: Bool)
    /// It waits for the server's time.
    case hold(Duration)
    /// It waits for the response to another one.
    case follow(Waiter<Void>)
  }

  private struct Host {
    var limit: RateLimit?
    /// When there will be more requests.
    var resetAt: Duration?
    var pausedUntil: Duration?
    /// One request tries whether the server takes requests again.
    var isProbing = false
    var inFlight = 0
    var followers: [(turn: Waiter<Void>, priority: RequestPriority)] = []

    /// Nothing is known of it that a later request would need.
    var isForgettable: Bool {
      limit == nil && pausedUntil == nil && inFlight == 0 && followers.isEmpty
    }

    /// Nothing of it is true any more, or worth keeping among thousands.
    func isOver(at now: Duration) -> Bool {
      inFlight == 0 && followers.isEmpty
        && [pausedUntil, resetAt].allSatisfy { $0.map { $0 <= now } ?? true }
    }

    mutating func forgetLimit(at now: Duration) {
      if let reset = resetAt, reset <= now { (limit, resetAt) = (nil, nil) }
    }

    /// Takes what a server says of its limit.
    mutating func learn(_ new: RateLimit, at now: Duration) {
      let reset = new.reset.map { now + min($0, RateBudget.longestPause) }
      // Responses come in any order: within one window, the lowest number is the newest.
      let isSameWindow = resetAt.flatMap { old in reset.map { abs($0 - old) <= .seconds(1) } }
      var new = new
      if isSameWindow == true, let old = limit { new.remaining = min(old.remaining, new.remaining) }
      (limit, resetAt) = (new, reset)
    }

    private func abs(_ duration: Duration) -> Duration { max(duration, .zero - duration) }

    /// Whether one more request is within what the server said; a tenth is kept for those that a
    /// person waits for.
    func hasRoom(for priority: RequestPriority) -> Bool {
      guard let limit else { return true }
      let kept = priority == .interactive ? 0 : max(1, (limit.limit ?? 0) / 10)
      return limit.remaining - inFlight > kept
    }

    /// Lets those who wait for a response decide anew, unless they would only wait on.
    mutating func wakeFollowers(at now: Duration) {
      let isHeld = pausedUntil.map { $0 > now } ?? false
      guard !isProbing, isHeld || inFlight == 0 || hasRoom(for: .interactive) else { return }
      let woken = followers
      followers = []
      for priority in [RequestPriority.interactive, .prefetch] {
        for follower in woken where follower.priority == priority { follower.turn.resume() }
      }
    }
  }

  /// How long a server is left alone at most; then one request asks again.
  ///
  /// An hour: the longest window that is usual, and a server's slip of the pen does not shut it off
  /// for good.
  private static let longestPause: Duration = .seconds(3_600)

  /// From how many servers or scopes on those are forgotten of which nothing is known for now:
  /// redirects may lead to ever new ones.
  private static let mostHosts = 1_000

  private struct State {
    var clock: SharedClock
    var hosts: [String: Host] = [:]
  }

  /// Tells the time of day.
  let date: @Sendable () -> Date
  private let scope: @Sendable (OutgoingRequest) -> String
  private let state: Mutex<State>

  /// Creates a budget that knows no limits yet.
  ///
  /// - Parameters:
  ///   - clock: The clock of its waits; that of the client that uses it first, unless one is given.
  ///   - now: Tells the time of day, for limits that end at a date.
  ///   - scope: Names the limit that counts a request, by its server and what else tells it from the
  ///     server's other limits; the server alone by default.
  public init(
    clock: (any Clock<Duration>)? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    scope: @escaping @Sendable (OutgoingRequest) -> String = { $0.head.authority ?? "" }
  ) {
    state = Mutex(State(clock: SharedClock(clock)))
    date = now
    self.scope = scope
  }

  /// The requests that are held back at the moment, those that go on first at the front.
  public var pauses: [Pause] {
    state.withLock { state in
      let now = state.clock.now
      return state.hosts.compactMap { name, host in
        host.pausedUntil.flatMap { $0 > now ? Pause(scope: name, remaining: $0 - now) : nil }
      }
    }.sorted { $0.remaining < $1.remaining }
  }

  /// The limit that a server told last, if it did; by the server, or by the scope that the budget was
  /// made with.
  public func limit(of scope: String) -> RateLimit? { state.withLock { $0.hosts[scope]?.limit } }

  /// Returns the name of the limit that counts a request.
  func name(of request: OutgoingRequest) -> String { scope(request) }

  /// Says what a request does next, and counts it when it is sent.
  func enter(_ name: String, _ request: OutgoingRequest) -> Decision {
    let priority = request.endpoint.priority
    return state.withLock { state in
      let now = state.clock.now(adopting: request.clock)
      if state.hosts.count > Self.mostHosts {
        state.hosts = state.hosts.filter { !$0.value.isOver(at: now) }
      }
      var host = state.hosts[name] ?? Host()
      defer { state.hosts[name] = host }
      if let until = host.pausedUntil, until > now { return .hold(until - now) }
      host.forgetLimit(at: now)
      let wasHeld = host.pausedUntil != nil
      let isFull = !host.hasRoom(for: priority)
      if host.isProbing || (isFull && host.inFlight > 0) {
        let turn = Waiter<Void>()
        host.followers.append((turn, priority))
        return .follow(turn)
      }
      if isFull, !wasHeld, let reset = host.resetAt {
        let wait = min(reset - now, Self.longestPause)
        // Prefetches alone wait for what is kept for others.
        if priority == .interactive { host.pausedUntil = now + wait }
        return .hold(wait)
      }
      host.isProbing = wasHeld
      host.inFlight += 1
      return .go(isProbe: wasHeld)
    }
  }

  /// Forgets one who no longer waits for a response.
  func giveUp(_ name: String, _ turn: Waiter<Void>) {
    state.withLock { $0.hosts[name]?.followers.removeAll { $0.turn === turn } }
  }

  /// Takes the response to a request that was sent; `nil` when there was none.
  func leave(
    _ name: String, _ response: HTTPResponse?, _ advice: RetryAdvice?, isProbe: Bool
  ) {
    let date = date()
    state.withLock { state in
      guard var host = state.hosts[name] else { return }
      let now = state.clock.now
      host.inFlight -= 1
      if let response {
        let limit = response.headerFields.rateLimit(now: date)
        if let limit { host.learn(limit, at: now) }
        if case .rateLimited(let after?) = advice {
          host.pausedUntil = max(host.pausedUntil ?? .zero, now + min(after, Self.longestPause))
        } else {
          if isProbe { host.pausedUntil = nil }
          // A limit that nobody said the end of ends with a response that knows none.
          if limit == nil, host.resetAt == nil { host.limit = nil }
        }
      }
      // A probe without a response leaves the question to the next one; what was sent before the hold
      // says nothing about it.
      if isProbe { host.isProbing = false }
      host.forgetLimit(at: now)
      host.wakeFollowers(at: now)
      state.hosts[name] = host.isForgettable ? nil : host
    }
  }
}
