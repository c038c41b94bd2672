import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// The retry time of an error.
@Suite(.timeLimit(.minutes(1)))
struct RetryAfterErrorTests {
  private let now = Date(timeIntervalSince1970: 1_800_000_000)
  private let stub = StubTransport(clock: TestClock())

  private func error(_ code: Int, _ fields: HTTPFields) async throws -> Client.Error {
    stub.stub(.get, "/x", with: .status(.init(code: code), fields))
    return try #require(await Client.stubbed(by: stub).result(of: Request<Int>.get("/x")).failure)
  }

  @Test(
    arguments: [
      (429, ["Retry-After": "7"], .seconds(7)), (403, ["Retry-After": "60"], .seconds(60)),
      (503, ["Retry-After": "5"], .seconds(5)),
      (429, ["Retry-After": "Fri, 15 Jan 2027 08:01:30 GMT"], .seconds(90)),
      (429, ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], .zero),
      (403, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000900"], .seconds(900)),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "30"], .seconds(30)),
      (429, ["RateLimit": #""default";r=0;t=12"#], .seconds(12)),
      (403, ["X-RateLimit-Remaining": "0", "Retry-After": "3"], .seconds(3)),
      // GitHub documents a minute for this case.
      (403, ["X-RateLimit-Remaining": "0"], .seconds(60)),
      (429, [:], nil), (429, ["Retry-After": "soon"], nil), (403, [:], nil), (503, [:], nil),
      (403, ["X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "30"], nil),
      (429, ["Retry-After": "1.5"], .milliseconds(1_500)),
      (429, ["retry-after-ms": "250"], .milliseconds(250)),
      (429, ["X-RateLimit-Remaining": "0.0", "X-RateLimit-Reset": "2.5"], .milliseconds(2_500)),
      (429, ["X-Rate-Limit-Remaining": "0", "X-Rate-Limit-Reset": "1800000002"], .seconds(2)),
      (429, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000003000"], .seconds(3)),
      (403, ["Retry-After": "soon"], .seconds(60)), (520, ["Retry-After": "2.0"], .seconds(2)),
      (501, ["Retry-After": "5"], nil),
      (500, ["Retry-After": "5"], .seconds(5)), (404, ["Retry-After": "5"], nil),
    ] as [(Int, HTTPFields, Duration?)])
  func `a status says when`(code: Int, fields: HTTPFields, wait: Duration?) async throws {
    let error = try await error(code, fields)
    #expect(error.retryAfter(now: now) == wait)
    if wait != nil { #expect(error.isRetryable) }
    let isLimit = code == 429 || code == 403 && wait != nil
    #expect(error.statusFailure?.isRateLimited == isLimit)
    #expect(error.localizedDescription.contains("Too many requests") == isLimit)
  }

  @Test func `other errors say nothing`() async throws {
    struct ConnectionReset: Error {}
    stub.stub(.get, "/x", with: .failure(ConnectionReset()))
    let error = try #require(
      await Client.stubbed(by: stub).result(of: Request<Int>.get("/x")).failure)
    #expect(error.retryAfter == nil)
    #expect(error.failureReason == nil)
  }

  @Test func `the text says it for a person and the reason leaves it out`() async throws {
    let refused = try await error(429, ["Retry-After": "42"])
    #expect(
      refused.localizedDescription
        == "\(UserTexts.english.tooManyRequests) \(UserTexts.english.tryAgain(.init(after: .seconds(42))))"
    )
    #expect(refused.failureReason == UserTexts.english.tooManyRequests)
    let busy = try await error(503, ["Retry-After": "300"])
    #expect(
      busy.localizedDescription
        == "\(UserTexts.english.serverProblem) \(UserTexts.english.tryAgain(.init(after: .seconds(300))))"
    )
    #expect(busy.failureReason == UserTexts.english.serverProblem)
    let vague = try await error(429, ["Retry-After": "0"])
    #expect(vague.localizedDescription.hasSuffix("Try again in a few minutes."))
  }

  @Test func `what is held back says it too`() async throws {
    let breaker = CircuitBreaker(threshold: 1, clock: stub.clock)
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.circuitBreaker(breaker)] }
    stub.stub(.get, "/x", with: .status(.internalServerError))
    _ = await client.result(of: Request<Int>.get("/x"))
    let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
    #expect(error.retryAfter == .seconds(30))
    #expect(error.failureReason == UserTexts.english.notWorking)
    #expect(
      error.localizedDescription
        == "\(UserTexts.english.notWorking) \(UserTexts.english.tryAgain(.init(after: .seconds(30))))"
    )
  }
}
