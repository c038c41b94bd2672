import HTTPTypes

/// What `.rateBudget(_:longestWait:)` does.
struct RateBudgetMiddleware: NetworkMiddleware {
  private let budget: RateBudget
  private let longestWait: Duration?

  init(_ budget: RateBudget, longestWait: Duration? = nil) {
    self.budget = budget
    self.longestWait = longestWait
  }

  /// Sends a request when its server takes it.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = budget.name(of: request)
    var waited = Duration.zero
    while true {
      switch budget.enter(host, request) {
      case .hold(let duration):
        waited += duration
        let isTooLong = longestWait.map { waited > $0 } ?? false
        if isTooLong || request.timeLeft.map({ $0 <= duration }) ?? false {
          throw .notSent(
            Client.NotSentFailure(
              request: request.description, reason: .rateLimit, retryAfter: duration))
        }
        try await request.wait(for: duration)
      case .follow(let turn):
        do throws(Client.Error) {
          try await request.wait(for: turn)
        } catch {
          budget.giveUp(host, turn)
          throw error
        }
      case .go(let isProbe):
        do throws(Client.Error) {
          var response = try await next(request)
          let advice =
            response.head.status.kind == .successful
            ? nil : try await response.retryAdvice(for: request, now: budget.date())
          budget.leave(host, response.head, advice, isProbe: isProbe)
          return response
        } catch {
          budget.leave(host, nil, nil, isProbe: isProbe)
          throw error
        }
      }
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
  /// Respects the rate limits that servers report, instead of finding them out by refusals.
  ///
  /// It learns from `X-RateLimit-*` as GitHub has them, from the IETF's `RateLimit` fields, and from 429
  /// and 403 with `Retry-After` or GitHub's message about its secondary limit. When no requests are left,
  /// further ones wait for the reset; then one goes first, and the others follow when it was accepted.
  ///
  /// List it before `.concurrency(_:)`: a request that waits must not hold a slot there.
  ///
  /// - Parameters:
  ///   - budget: What is known of the limits; share it between clients of the same server.
  ///   - longestWait: The longest wait. A request that would have to wait longer, in all, or longer than
  ///     its time allows, fails at once with ``Client/Error/notSent(_:)``, which says when to try again;
  ///     `nil` for no limit but that time. Users should hear why after a few seconds; a background
  ///     job may wait for an hour.
  public static func rateBudget(
    _ budget: RateBudget = RateBudget(), longestWait: Duration? = nil
  ) -> Self { Self(RateBudgetMiddleware(budget, longestWait: longestWait)) }
}
