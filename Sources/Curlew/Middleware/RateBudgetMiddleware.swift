import HTTPTypes

/// Implements `.rateBudget(_:maximumDelay:)`.
struct RateBudgetMiddleware: NetworkMiddleware {
  let budget: RateBudget
  let maximumDelay: Duration?

  /// Sends a request when its server's rate limit allows it.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    let host = budget.scope(request)
    var waited = Duration.zero
    while true {
      switch budget.enter(host, request) {
      case .hold(let duration):
        waited += duration
        let isTooLong = maximumDelay.map { waited > $0 } ?? false
        if isTooLong || request.timeLeft.map({ $0 <= duration }) ?? false {
          throw .notSent(
            Client.NotSentFailure(
              request: request.description, reason: .rateLimit, retryAfter: duration))
        }
        try await request.wait(for: duration, as: .waitingForRateLimit(duration))
      case .follow(let turn):
        do throws(Client.Error) {
          try await request.wait(for: turn, as: .waitingForRateLimit(nil))
        } catch {
          budget.giveUp(host, turn)
          throw error
        }
      case .go(let isProbe):
        do throws(Client.Error) {
          let response = try await next(request)
          if response.head.status.kind == .successful {
            budget.leave(host, response.head, nil, isProbe: isProbe)
            return response
          }
          var refusal = response
          let advice = try await refusal.retryAdvice(for: request, now: budget.date())
          budget.leave(host, refusal.head, advice, isProbe: isProbe)
          return refusal
        } catch {
          budget.leave(host, nil, nil, isProbe: isProbe)
          throw error
        }
      }
    }
  }
}

extension NetworkMiddleware where Self == StandardNetworkMiddleware {
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
