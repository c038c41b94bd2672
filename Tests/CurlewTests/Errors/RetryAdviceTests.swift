import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Errors, retries and rate limits share one rule for whether a response is retryable.
@Suite(.timeLimit(.minutes(1)))
struct RetryAdviceTests {
  private var (clock, stub) = stubOnTestClock()
  private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }

  private static let secondary = """
    {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try \
    again."}
    """

  private struct Case: Sendable, CustomTestStringConvertible {
    let status: HTTPResponse.Status
    var fields: HTTPFields = [:]
    var body = "{}"
    /// The wait; `nil` if the request is not to be retried.
    let wait: Duration?

    var response: StubResponse { .text(body, status: status, fields) }
    var testDescription: String { "\(status.code) \(fields) \(body.prefix(20))" }
  }

  private static let cases: [Case] = [
    // GitHub's secondary limit, with and without a `Retry-After` field.
    Case(status: .forbidden, body: secondary, wait: .seconds(60)),
    Case(status: .tooManyRequests, body: secondary, wait: .seconds(60)),
    Case(
      status: .forbidden, fields: ["Retry-After": "7"], body: secondary, wait: .seconds(7)),
    // The secondary limit applies while the primary limit has requests left.
    Case(
      status: .forbidden, fields: ["X-RateLimit-Remaining": "4000", "X-RateLimit-Reset": "900"],
      body: secondary, wait: .seconds(60)),
    // GitHub's primary limit.
    Case(
      status: .forbidden,
      fields: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000050"],
      wait: .seconds(50)),
    Case(status: .forbidden, fields: ["X-RateLimit-Remaining": "0"], wait: .seconds(60)),
    // A 403 that is not a rate limit.
    Case(status: .forbidden, body: #"{"message": "Must have admin rights"}"#, wait: nil),
    Case(
      status: .forbidden, fields: ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "9"],
      wait: nil),
    Case(status: .forbidden, body: "secondary rate limit, but no JSON", wait: nil),
    Case(status: .notFound, body: secondary, wait: nil),
  ]

  @Test(arguments: cases)
  private func `an error says it`(given: Case) async throws {
    stub.stub(.get, "/x", with: given.response)
    let error = try #require(
      await Client.stubbed(by: stub).result(of: Request<Int>.get("/x")).failure)
    #expect(error.retryAfter(now: now()) == given.wait)
    #expect(error.isRetryable == (given.wait != nil))
    #expect(error.statusFailure?.isRateLimited == (given.wait != nil))
  }

  @Test(arguments: cases)
  private func `a retry waits as long`(given: Case) async throws {
    stub.stub(.get, "/x", with: given.response, .json("1"))
    var policy = RetryPolicy()
    (policy.random, policy.now) = ({ 0 }, now)
    let client = Client.stubbed(by: stub, .inline, [.retrying(policy)], limits: .endless)
    let caller = client.call(Request<Int>.get("/x"))
    if let wait = given.wait {
      await clock.waitForSleepers()
      clock.advance(by: wait - .milliseconds(1))
      #expect(stub.requests.count == 1)
      clock.advance(by: .milliseconds(1))
      #expect(try await caller.value.get() == 1)
    } else {
      let failure = await caller.value.failure?.statusFailure
      #expect(failure?.response.status == given.status)
      // The body was inspected, and is still available.
      #expect(failure?.body == Data(given.body.utf8))
    }
  }

  @Test(arguments: cases)
  private func `a rate budget holds as long`(given: Case) async throws {
    stub.stub(.get, "/x", with: given.response)
    let budget = RateBudget(clock: clock, now: now)
    let client = Client.stubbed(by: stub, .inline, network: [.rateBudget(budget)])
    _ = await client.result(of: Request<Int>.get("/x"))
    #expect(budget.pauses.first?.remaining == given.wait)
  }
}
