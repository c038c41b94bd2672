import Foundation
import HTTPTypes
import Synchronization

/// Implements `.retrying()`.
struct RetryMiddleware: Middleware {
  private let policy: RetryPolicy
  private let budget: RetryBudget

  /// Creates a middleware with a policy and a budget of its own.
  init(_ policy: RetryPolicy = RetryPolicy()) {
    self.policy = policy
    budget = RetryBudget(policy)
  }

  /// Sends a request, and retries it as the policy and the budget allow.
  func send(
    _ request: OutgoingRequest, next: @escaping Next
  ) async throws(Client.Error) -> IncomingResponse {
    guard request.declaration.isRetryable, request.body?.isRepeatable ?? true else {
      return try await next(request)
    }
    var attempt = 1
    while true {
      let (wait, reason): (Duration, RequestEvent.RetryReason)
      do {
        let first = try await next(request)
        if first.isWhole(for: request) {
          budget.deposit()
          return first
        }
        var response = first
        if request.accepts(response.head.status) {
          // Read here, so that a connection that is lost within the body can be retried.
          if !request.isStreamed {
            response.body = ResponseBody(try await response.contents(for: request))
          }
          budget.deposit()
          return response
        }
        // The request was not sent and won't be (`only-if-cached`).
        if response.cacheStatus?.isUnavailable == true { return response }
        let advice = try await response.retryAdvice(for: request, now: policy.now())
        guard let delay = delay(after: response, advice, attempt) else { return response }
        guard mayWait(delay, request) else { return response }
        await response.finishShortBody(of: request)
        (wait, reason) = (delay, .status(response.head.status.code))
      } catch {
        guard attempt < policy.attempts, error.mayHaveBeenLost else { throw error }
        let delay = policy.wait(beforeRetry: attempt)
        guard mayWait(delay, request) else { throw error }
        (wait, reason) = (delay, .failure(error))
      }
      try await request.wait(for: wait, as: .retrying(after: wait, because: reason))
      try await request.waitForNetwork()
      attempt += 1
    }
  }

  /// Returns the wait before the next attempt; `nil` if the response is final.
  private func delay(
    after response: IncomingResponse, _ advice: RetryAdvice, _ attempt: Int
  ) -> Duration? {
    // A 403 that reports a rate limit counts as a 429.
    let code = advice.isRateLimited ? 429 : response.head.status.code
    guard attempt < policy.attempts, policy.retries(code) else { return nil }
    // A status that only the policy lists may come with `Retry-After`, too.
    let requested = advice.after ?? policy.requestedWait(response.head.headerFields)
    guard let requested else { return policy.wait(beforeRetry: attempt) }
    // Longer than the server requests, so that waiting clients do not all return at once.
    return requested > policy.maximumRetryAfter
      ? nil : requested + min(policy.wait(beforeRetry: attempt), policy.baseDelay)
  }

  private func mayWait(_ delay: Duration, _ request: OutgoingRequest) -> Bool {
    if let left = request.timeLeft, left <= delay { return false }
    return budget.withdraw()
  }
}

/// Limits the retries of a client in proportion to its successful requests.
final class RetryBudget: Sendable {
  private let policy: RetryPolicy
  private let balance: Mutex<Double>

  init(_ policy: RetryPolicy) {
    self.policy = policy
    balance = Mutex(policy.retryBudget)
  }

  func deposit() {
    balance.withLock { $0 = min(policy.retryBudget, $0 + policy.retriesPerSuccess) }
  }

  /// Withdraws one retry; returns `false` if the budget is used up.
  func withdraw() -> Bool {
    balance.withLock { balance in
      // Ten deposits of 0.1 add up to a little less than 1.
      guard balance >= 0.999_999 else { return false }
      balance = max(0, balance - 1)
      return true
    }
  }
}

extension Client.Error {
  /// Whether the request got no response, and a retry may succeed.
  fileprivate var mayHaveBeenLost: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout(let failure): [.connect, .firstByte].contains(failure.limit)
    default: false
    }
  }
}

extension Middleware where Self == StandardMiddleware {
  /// Retries requests that failed transiently.
  ///
  /// It retries idempotent methods (RFC 9110 section 9.2.2) and endpoints that opt in, after a lost
  /// connection, a timeout before the first byte, or one of the policy's statuses. It waits with
  /// exponential backoff and full jitter; if the server requests a wait, it waits for that time and at
  /// most ``RetryPolicy/baseDelay`` more; for an unreadable `Retry-After`, the longest backoff. If the
  /// call's time does not allow the wait, or the budget is used up, the last failure is final. Response
  /// bodies are read completely, so that a connection that is lost within a body can be retried.
  ///
  /// - Parameters:
  ///   - policy: When and how often requests are retried.
  ///   - attempts: The maximum number of attempts, the first included; `nil` for the policy's.
  public static func retrying(
    _ policy: RetryPolicy = RetryPolicy(), attempts: Int? = nil
  ) -> Self {
    var policy = policy
    policy.attempts = attempts ?? policy.attempts
    return Self(RetryMiddleware(policy))
  }
}

/// When and how often requests are retried.
public struct RetryPolicy: Sendable {
  /// The maximum number of attempts, the first included.
  ///
  /// Three by default: most transient failures have passed by then.
  public var attempts = 3
  /// The maximum wait before the first retry, doubled for each further retry.
  ///
  /// Half a second by default.
  public var baseDelay: Duration = .milliseconds(500)
  /// The maximum wait before a retry, unless the server requests a wait.
  ///
  /// Ten seconds by default.
  public var maximumDelay: Duration = .seconds(10)
  /// The maximum wait that a server may request (`Retry-After`, the reset of a rate limit).
  ///
  /// One minute by default: users don't wait longer. If the server requests a longer wait, the request
  /// fails at once.
  public var maximumRetryAfter: Duration = .seconds(60)
  /// The status codes that are retried; by default 408, 425, 429, 500, 502, 503 and 504.
  ///
  /// A 403 that means a rate limit counts as 429, and a status from 509 to 599 that is not registered, such as
  /// Cloudflare's 520, as 500 (RFC 9110 section 15).
  public var statuses: Set<Int> = RetryAdvice.transientStatuses
  /// The number of retries that each successful request adds to the budget.
  ///
  /// A tenth by default: a failing server gets at most a tenth more requests, not three times as many.
  let retriesPerSuccess = 0.1
  /// The number of retries in the budget at the start, and its maximum.
  ///
  /// Ten by default.
  public var retryBudget = 10.0
  /// Returns the fraction of the maximum wait, from 0 to 1, to wait; random by default (full jitter).
  public var random: @Sendable () -> Double = { .random(in: 0...1) }
  /// Returns the current date, for dates in `Retry-After`.
  var now: @Sendable () -> Date = { Date() }

  /// Creates the default policy.
  public init() {}

  /// Returns whether a status is retried.
  func retries(_ code: Int) -> Bool {
    statuses.contains(code) || RetryAdvice.isUnregisteredServerError(code) && statuses.contains(500)
  }

  /// Returns the wait before a retry, by its number from 1: exponential up to ``maximumDelay``, with full
  /// jitter.
  func wait(beforeRetry number: Int) -> Duration {
    backoff(beforeRetry: number) * min(max(random(), 0), 1)
  }

  /// Returns the wait that a response requests with `Retry-After`; for an unreadable value, a long backoff; `nil` if it
  /// requests none.
  func requestedWait(_ fields: HTTPFields) -> Duration? {
    if let wait = fields.retryAfter(now: now()) { return wait }
    // The sixth backoff is the longest, except for a `baseDelay` that is much shorter than `maximumDelay`.
    return fields.hasUnreadableRetryAfter(now: now())
      ? min(backoff(beforeRetry: 6), maximumRetryAfter) : nil
  }

  private func backoff(beforeRetry number: Int) -> Duration {
    min(baseDelay * (1 << min(number - 1, 20)), maximumDelay)
  }
}
