import HTTPTypes

/// Keeps to the rate limits that servers tell, instead of finding them out by refusals.
///
/// It learns from `X-RateLimit-*` as GitHub has them, from the IETF's `RateLimit` fields, and from 429
/// and 403 with `Retry-After`. When nothing is left, requests wait until there is more; then one goes
/// first, and the others follow when it was taken. One that may not wait as long as that, by its limit
/// of time or the longest silent wait, fails at once with ``Client/Error/heldBack(_:)``, which says
/// when to try again.
///
/// Stand it before `.concurrency(_:)`: what waits here would take places there.
struct RateBudgetMiddleware: NetworkMiddleware {
  private let budget: RateBudget
  private let longestWait: Duration?

  /// Creates a middleware.
  ///
  /// - Parameters:
  ///   - budget: What is known of the limits.
  ///   - longestWait: How long a request waits at most for a server's time, in all; `nil` for as long
  ///     as its own limit of time allows. A person who sees nothing happen should hear why after a
  ///     few seconds; a job that nobody looks at may wait for an hour.
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
          throw .heldBack(
            Client.HoldFailure(
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
          let advice = try await response.retryAdvice(for: request, now: budget.date())
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
  /// Keeps to the rate limits that servers tell.
  ///
  /// - Parameters:
  ///   - budget: What is known of the limits; share it between clients of the same server.
  ///   - longestWait: How long a request waits at most before it fails with
  ///     ``Client/Error/heldBack(_:)``; `nil` for as long as its own limit of time allows.
  public static func rateBudget(
    _ budget: RateBudget = RateBudget(), longestWait: Duration? = nil
  ) -> Self { Self(RateBudgetMiddleware(budget, longestWait: longestWait)) }
}
