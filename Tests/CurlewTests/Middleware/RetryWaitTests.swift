import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// When a request is retried.
@Suite(.timeLimit(.minutes(1)))
struct RetryWaitTests {
  private var (clock, stub) = stubOnTestClock()

  private func client(
    _ way: Way = .taskOfItsOwn, random: Double = 1, limits: Limits = .endless,
    _ change: (inout RetryPolicy) -> Void = { _ in }
  ) -> Client {
    var policy = RetryPolicy()
    policy.random = { random }
    // Fri, 15 Jan 2027 08:00:00 GMT.
    policy.now = { Date(timeIntervalSince1970: 1_800_000_000) }
    change(&policy)
    return .stubbed(by: stub, way, [.retrying(policy)], limits: limits)
  }

  @Test(arguments: Way.allCases)
  func `waits double up to the longest`(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client(way) { $0.attempts = 8 }
    async let result = client.result(of: Request<Int>.get("/x"))
    for wait in [0.5, 1, 2, 4, 8, 10, 10] { await clock.pass(to: stub, .seconds(wait)) }
    #expect(await result.failure?.status == .serviceUnavailable)
    #expect(stub.requests.count == 8)
  }

  @Test func `many attempts do not overflow a wait`() async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client {
      $0.attempts = 100
      $0.retryBudget = 1_000
    }
    let result = await clock.advancing(by: .seconds(10)) {
      await client.result(of: Request<Int>.get("/x"))
    }
    #expect(result.failure?.status == .serviceUnavailable)
    #expect(stub.requests.count == 100)
  }

  private static func gitHub(_ remaining: Int, reset: Int) -> HTTPFields {
    [
      "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "\(remaining)",
      "X-RateLimit-Reset": "\(reset)",
    ]
  }

  private typealias Wait = (StubResponse, random: Double, seconds: Double)

  private static func retryAfter(
    _ value: String, status: HTTPResponse.Status = .serviceUnavailable
  ) -> StubResponse {
    .status(status, [.retryAfter: value])
  }

  /// Waits in seconds and dates; fractions and units as in Shopify/shopify-api-php#117, SpaceTradersAPI/api-docs#24 and
  /// getsentry/sentry#7919.
  private static let spelt: [Wait] = [
    (retryAfter("30"), 0, 30), (retryAfter("0"), 0, 0), (retryAfter("60"), 0, 60),
    (retryAfter("Fri, 15 Jan 2027 08:00:30 GMT"), 0, 30),
    (retryAfter("Friday, 15-Jan-27 08:00:30 GMT"), 0, 30),
    (retryAfter("Fri Jan 15 08:00:30 2027"), 0, 30),
    (retryAfter("Fri, 15 Jan 2027 07:00:00 GMT"), 0, 0),
    (retryAfter("2.0"), 0, 2), (retryAfter("1.5"), 0, 1.5), (retryAfter("2s"), 0, 2),
    (retryAfter("+2"), 0, 2), (retryAfter("2027-01-15T08:00:30Z"), 0, 30),
    (retryAfter("Fri, 15 Jan 2027 08:00:30 UTC"), 0, 30), (retryAfter("1800000030"), 0, 30),
    (retryAfter("2.0", status: .init(code: 520)), 0, 2), (retryAfter(""), 1, 0.5),
    (retryAfter(" "), 1, 0.5), (.status(.tooManyRequests, ["retry-after-ms": "2000"]), 0, 2),
    (.status(.tooManyRequests, ["x-ms-retry-after-ms": "2000", .retryAfter: "3"]), 0, 2),
  ]

  /// Unreadable waits, which lead to the longest backoff: WebexCommunity/WebexPythonSDK#181,
  /// x402-foundation/x402#2614.
  private static let unreadable: [Wait] = [
    "soon", "-1", "rand(30),add(30)", "NaN", "1e10000", "inf", "0x10", "3, 4",
  ].flatMap { value -> [Wait] in
    [
      (retryAfter(value), 0, 10), (retryAfter(value, status: .tooManyRequests), 1, 10.5),
      (retryAfter(value, status: .forbidden), 0, 60),
    ]
  }

  private static let others: [Wait] = [
    // Half a second is added, so that waiting clients do not all return at once.
    (.status(.tooManyRequests, [.retryAfter: "30"]), 1, 30.5),
    (.status(.forbidden, gitHub(0, reset: 1_800_000_020)), 0, 20),
    (.status(.tooManyRequests, gitHub(0, reset: 1_800_000_020)), 0, 20),
    // A limit's reset time is no retry time for a server error.
    (.status(.badGateway, gitHub(0, reset: 1_800_000_050)), 1, 0.5),
    // The wait is a random part of the backoff; the random number is clamped.
    (.failure(URLError(.networkConnectionLost)), 0.25, 0.125),
    (.status(.serviceUnavailable), -5, 0), (.status(.serviceUnavailable), 7, 0.5),
  ]

  private static let waits = spelt + unreadable + others

  @Test(arguments: waits.indices)
  func `what the server asks for is waited`(index: Int) async throws {
    let (response, random, seconds) = Self.waits[index]
    stub.stub(.get, "/x", with: response, .json("1"))
    let client = client(random: random)
    async let result = client.result(of: Request<Int>.get("/x"))
    if seconds > 0 { await clock.pass(to: stub, .seconds(seconds)) }
    #expect(try await result.get() == 1)
  }

  @Test(
    arguments: [
      "Sat, 16 Jan 2027 08:00:00 GMT", "86400", "61", "60.5", "2m", "99999999999999999999",
    ].map {
      (503, [.retryAfter: $0])
    } + [(403, gitHub(0, reset: 1_800_003_000)), (403, gitHub(30, reset: 1_800_000_020))]
      as [(Int, HTTPFields)])
  func `what takes too long or is no limit is not waited for`(code: Int, fields: HTTPFields) async {
    stub.stub(.get, "/x", with: .status(.init(code: code), fields))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status?.code == code)
    #expect(stub.requests.count == 1 && clock.sleepers == 0)
  }

  @Test func `an unreadable wait is bounded by the policy`() async throws {
    let changes: [((inout RetryPolicy) -> Void, Double)] = [
      ({ $0.baseDelay = .milliseconds(50) }, 1.6), ({ $0.maximumDelay = .seconds(3) }, 3),
      ({ $0.maximumRetryAfter = .seconds(2) }, 2), ({ $0.baseDelay = .seconds(99) }, 10),
    ]
    for (change, wait) in changes {
      let client = client(random: 0, change)
      stub.stub(.get, "/x", with: .status(.serviceUnavailable, [.retryAfter: "soon"]), .json("1"))
      async let result = client.result(of: Request<Int>.get("/x"))
      await clock.pass(to: stub, .seconds(wait))
      #expect(try await result.get() == 1)
    }
  }

  // MARK: The deadline

  @Test func `an unreadable wait beyond the deadline is not begun`() async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable, [.retryAfter: "soon"]))
    let client = client(random: 0, limits: Limits(firstByte: nil, total: .seconds(10)))
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.status == .serviceUnavailable)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func `a wait that does not fit is not begun`(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable).after(.seconds(4)))
    let client = client(way, limits: Limits(firstByte: nil, total: .seconds(10))) {
      $0.baseDelay = .seconds(1)
      $0.attempts = 10
    }
    async let result = client.result(of: Request<Int>.get("/x"))
    // A response, a wait, a response; the watchdog sleeps, too.
    for seconds in [4, 1, 4] {
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(seconds))
    }
    // At 9 s, 2 s more do not fit: the last failure is returned at once.
    #expect(await result.failure?.status == .serviceUnavailable)
    #expect(clock.now.offset == .seconds(9))
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: Way.allCases)
  func `one deadline holds for attempts waits and redirects together`(way: Way) async throws {
    stub.stub(
      .get, "/a", with: .status(.serviceUnavailable).after(.seconds(3)),
      .status(.found, [.location: "/b"]).after(.seconds(3)))
    let gate = stub.hold(.get, "/b")
    let client = client(way, limits: Limits(firstByte: .seconds(5), total: .seconds(10))) {
      $0.baseDelay = .seconds(1)
    }
    async let result = client.result(of: Request<Int>.get("/a"))
    for seconds in [3, 1, 3] {
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(seconds))
    }
    await gate.waitForRequests(1)
    // 7 s have passed.
    clock.advance(by: .milliseconds(2_999))
    #expect(gate.held.count == 1)
    clock.advance(by: .milliseconds(1))
    let failure = try #require(await result.failure?.timeoutFailure)
    #expect(failure.limit == .total && failure.duration == .seconds(10))
    await gate.waitForCancellations(1)
  }

  @Test(arguments: Way.allCases)
  func `each attempt has its own time to the first byte`(way: Way) async throws {
    let gate = stub.hold(.get, "/x")
    let client = client(way, limits: Limits(firstByte: .seconds(5), total: .seconds(60)))
    async let result = client.result(of: Request<Int>.get("/x"))
    for (attempt, wait) in [(1, 0.5), (2, 1), (3, 0)] {
      await gate.waitForRequests(attempt)
      clock.advance(by: .milliseconds(4_999))
      #expect(gate.held.count == 1)
      clock.advance(by: .milliseconds(1))
      await gate.waitForCancellations(attempt)
      guard wait > 0 else { continue }
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(wait))
    }
    let failure = try #require(await result.failure?.timeoutFailure)
    #expect(failure.limit == .firstByte && failure.duration == .seconds(5))
  }

  @Test(arguments: Way.allCases)
  func `cancelling during a wait ends it`(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client(way)
    let task = client.call(Request<Int>.get("/x"))
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    #expect(clock.sleepers == 0)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func `cancelling during the second attempt ends it`(way: Way) async {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .held(by: gate))
    let client = client(way, random: 0)
    let task = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    await gate.waitForCancellations(1)
    #expect(stub.requests.count == 2)
  }
}
