import Foundation
import HTTPTypes
import Synchronization

/// Sends requests again that failed in a way that may pass.
///
/// It repeats what can be repeated: methods that are idempotent (RFC 9110 section 9.2.2) and
/// endpoints that say so, after a lost connection, a timeout to the first byte, or one of the
/// policy's statuses; so it reads their answers whole. It waits with full jitter; where the
/// server says how long, so long and up to ``RetryPolicy/firstWait`` more. A wait that the request's
/// limit of time does not allow, or a used-up budget, is the end: then the last failure stands.
public struct RetryMiddleware: PunctualMiddleware {
  private let policy: RetryPolicy
  private let budget: RetryBudget

  /// Creates a middleware with a policy and a budget of its own.
  public init(_ policy: RetryPolicy = RetryPolicy()) {
    self.policy = policy
    budget = RetryBudget(reserve: policy.retryReserve, deposit: policy.retriesPerRequest)
  }

  /// Sends a request, and again while that may help.
  public func send(
    _ request: OutgoingRequest, next: Next
  ) async throws(Client.Error) -> IncomingResponse {
    guard request.endpoint.isRepeatable else { return try await next(request) }
    var attempt = 1
    while true {
      let wait: Duration
      do {
        var response = try await next(request)
        guard let delay = delay(after: response, attempt) else {
          guard response.head.status.kind == .successful else { return response }
          // Here, where a connection that is lost within it is a failure that may pass.
          response.body = ResponseBody(try await response.contents(for: request))
          budget.deposit()
          return response
        }
        guard mayWait(delay, request) else { return response }
        await response.finishShortBody()
        wait = delay
      } catch {
        guard attempt < policy.attempts, error.mayHaveBeenLost else { throw error }
        let delay = jittered(attempt)
        guard mayWait(delay, request) else { throw error }
        wait = delay
      }
      try await request.wait(for: wait)
      attempt += 1
    }
  }

  /// How long to wait before the answer is asked for again; `nil` when it stands.
  private func delay(after response: IncomingResponse, _ attempt: Int) -> Duration? {
    let (status, fields) = (response.head.status.code, response.head.headerFields)
    let now = policy.now()
    // GitHub refuses with 403 what comes too often.
    let isLimited = status == 403 && (fields[.retryAfter] != nil || fields.isUsedUp(now: now))
    guard attempt < policy.attempts, policy.statuses.contains(status) || isLimited else {
      return nil
    }
    let isTooMany = isLimited || status == 429
    let asked = fields.retryAfter(now: now) ?? (isTooMany ? fields.waitForReset(now: now) : nil)
    guard let asked else { return jittered(attempt) }
    // Beyond the server's wish, so that those who wait do not all come back at once.
    return asked > policy.longestRetryAfter
      ? nil : asked + min(jittered(attempt), policy.firstWait)
  }

  private func jittered(_ attempt: Int) -> Duration {
    policy.wait(beforeRetry: attempt) * min(max(policy.random(), 0), 1)
  }

  private func mayWait(_ delay: Duration, _ request: OutgoingRequest) -> Bool {
    if let left = request.timeLeft, left <= delay { return false }
    return budget.withdraw()
  }
}

/// Bounds how many retries a client makes, in relation to what succeeds.
final class RetryBudget: Sendable {
  private let reserve: Double
  private let amount: Double
  private let balance: Mutex<Double>

  init(reserve: Double, deposit: Double) {
    self.reserve = max(0, reserve)
    amount = max(0, deposit)
    balance = Mutex(max(0, reserve))
  }

  func deposit() {
    balance.withLock { $0 = min(reserve, $0 + amount) }
  }

  /// Takes one retry out; returns whether there was one.
  func withdraw() -> Bool {
    balance.withLock { balance in
      // Ten tenths are a little less than one.
      guard balance >= 0.999_999 else { return false }
      balance = max(0, balance - 1)
      return true
    }
  }
}

extension Client.Error {
  /// Whether the request got no answer, and may get one when it is sent again.
  fileprivate var mayHaveBeenLost: Bool {
    switch self {
    case .transport(let failure): failure.kind.isRetryable
    case .timeout(let failure): [.connect, .firstByte].contains(failure.limit)
    default: false
    }
  }
}

extension HTTPFields {
  func isUsedUp(now: Date) -> Bool { rateLimit(now: now)?.remaining == 0 }

  func waitForReset(now: Date) -> Duration? {
    rateLimit(now: now).flatMap { $0.remaining == 0 ? $0.reset : nil }
  }
}

extension Middleware where Self == RetryMiddleware {
  /// Sends requests again that failed in a way that may pass.
  public static func retrying(_ policy: RetryPolicy = RetryPolicy()) -> Self { Self(policy) }

  /// Sends requests again that failed in a way that may pass.
  ///
  /// - Parameter attempts: How often a request is sent in all.
  public static func retrying(attempts: Int) -> Self {
    var policy = RetryPolicy()
    policy.attempts = attempts
    return Self(policy)
  }
}
