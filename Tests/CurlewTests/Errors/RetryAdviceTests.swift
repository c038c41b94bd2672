import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Errors, retries and rate limits share one rule for whether a response is retryable.
@Suite(.timeLimit(.minutes(1)))
struct RetryAdviceTests {
  private var (clock, stub) = stubOnTestClock()
  private let now: @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }

  private static let secondary = """
    {"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try \
    again."}
    """

  private static let abuse = """
    {"message": "You have triggered an abuse detection mechanism. Please wait a few minutes before you try \
    again.", "documentation_url": "https://docs.github.com/rest#abuse-rate-limits"}
    """

  private static func google(_ reason: String) -> String {
    #"{"error": {"code": 403, "errors": [{"domain": "global", "reason": "\#(reason)", "message": "No."}]}}"#
  }

  private static func amazon(_ code: String) -> String {
    "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>No.</Message></Error>"
  }

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
    // GitHub's older name of the secondary limit (ossf/scorecard#206, hub4j/github-api#289).
    Case(status: .forbidden, body: abuse, wait: .seconds(60)),
    Case(status: .tooManyRequests, body: abuse, wait: .seconds(60)),
    Case(status: .forbidden, fields: ["Retry-After": "7"], body: abuse, wait: .seconds(7)),
    // Google: https://developers.google.com/workspace/gmail/api/guides/handle-errors
    Case(status: .forbidden, body: google("rateLimitExceeded"), wait: .seconds(60)),
    Case(status: .forbidden, body: google("userRateLimitExceeded"), wait: .seconds(60)),
    Case(status: .forbidden, body: google("quotaExceeded"), wait: .seconds(60)),
    Case(status: .forbidden, body: google("dailyLimitExceeded"), wait: .seconds(60)),
    Case(status: .forbidden, body: google("insufficientPermissions"), wait: nil),
    Case(status: .forbidden, body: google("storageQuotaExceeded"), wait: nil),
    Case(
      status: .forbidden,
      body: #"{"error": {"status": "X", "details": [{"reason": "RATE_LIMIT_EXCEEDED"}]}}"#,
      wait: .seconds(60)),
    // Amazon: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
    Case(
      status: .forbidden,
      body: #"{"__type": "com.amazon.x#ThrottlingException", "message": "Rate exceeded"}"#,
      wait: .seconds(60)),
    Case(
      status: .forbidden,
      fields: ["x-amzn-ErrorType": "ThrottlingException:http://x.amazonaws.com/doc/"],
      wait: .seconds(60)),
    Case(status: .forbidden, body: amazon("SlowDown"), wait: .seconds(60)),
    Case(status: .forbidden, body: amazon("RequestLimitExceeded"), wait: .seconds(60)),
    Case(status: .forbidden, body: amazon("Throttling"), wait: .seconds(60)),
    Case(status: .forbidden, body: amazon("AccessDenied"), wait: nil),
    // Salesforce: mike4aday/SwiftlySalesforce#29, singer-io/tap-salesforce#221.
    Case(
      status: .forbidden,
      body:
        #"[{"message": "TotalRequests Limit exceeded.", "errorCode": "REQUEST_LIMIT_EXCEEDED"}]"#,
      wait: .seconds(60)),
    // Facebook: python-social-auth/social-core#859.
    Case(
      status: .forbidden,
      body: #"{"error": {"message": "(#4) Application request limit reached", "code": 4}}"#,
      wait: .seconds(60)),
    // API Management of Azure: https://learn.microsoft.com/azure/api-management/quota-policy
    Case(
      status: .forbidden,
      body:
        #"{"statusCode": 403, "message": "Out of call volume quota. Quota will be replenished in 00:12:34."}"#,
      wait: .seconds(60)),
    // Mashery: hotelbeds-sdk/hotel-api-sdk-Net#30, gettyimages/gettyimages-api_dotnet#23.
    Case(
      status: .forbidden, fields: ["X-Mashery-Error-Code": "ERR_403_DEVELOPER_OVER_QPS"],
      body: "<h1>Developer Over Qps</h1>", wait: .seconds(60)),
    Case(status: .forbidden, body: "<h1>Developer Over Rate</h1>", wait: .seconds(60)),
    Case(status: .forbidden, body: "<h1>Developer Inactive</h1>", wait: nil),
    // Bitly (https://dev.bitly.com/docs/getting-started/rate-limits), ZenHub (ZenHubIO/API#6).
    Case(status: .forbidden, body: #"{"message": "RATE_LIMIT_EXCEEDED"}"#, wait: .seconds(60)),
    Case(status: .forbidden, body: #"{"message": "API rate limit exceeded"}"#, wait: .seconds(60)),
    // The reason of a 429 changes nothing.
    Case(
      status: .tooManyRequests, fields: ["Retry-After": "3"], body: google("rateLimitExceeded"),
      wait: .seconds(3)),
    // A 403 that is not a rate limit.
    Case(
      status: .forbidden,
      body:
        #"{"message": "No access", "documentation_url": "https://x.example/rate-limit-exceeded"}"#,
      wait: nil),
    Case(status: .badRequest, body: google("rateLimitExceeded"), wait: nil),
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
