import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// When a request is sent again.
@Suite(.timeLimit(.minutes(1)))
struct RetryWaitTests {
  private let clock = TestClock()
  private let stub: StubTransport

  init() {
    stub = StubTransport(clock: clock)
  }

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

  /// Lets one wait pass, which is to be as long as that, to the millisecond.
  private func pass(_ wait: Duration) async {
    await clock.waitForSleepers(1)
    clock.advance(by: wait - .milliseconds(1))
    #expect(clock.sleepers == 1, "waited less than \(wait)")
    let before = stub.requests.count
    clock.advance(by: .milliseconds(1))
    await stub.waitForRequests(before + 1)
  }

  @Test(arguments: Way.allCases)
  func waitsDoubleUpToTheLongest(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client(way) { $0.attempts = 8 }
    async let result = client.result(of: Request<Int>.get("/x"))
    for wait in [0.5, 1, 2, 4, 8, 10, 10] { await pass(.seconds(wait)) }
    #expect(await result.failure?.status == .serviceUnavailable)
    #expect(stub.requests.count == 8)
  }

  @Test func ofAWaitARandomPartIsWaited() async {
    stub.stub(.get, "/x", with: .failure(URLError(.networkConnectionLost)))
    let client = client(random: 0.25) { $0.baseDelay = .seconds(1) }
    async let result = client.result(of: Request<Int>.get("/x"))
    for wait in [0.25, 0.5] { await pass(.seconds(wait)) }
    #expect(await result.failure?.transportFailure != nil)
  }

  @Test(arguments: [(-5.0, 0.0), (7, 0.5)])
  func aRandomSourceThatIsNotInItsBoundsIsTakenAtThem(random: Double, wait: Double) async throws {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .json("1"))
    let client = client(random: random)
    async let result = client.result(of: Request<Int>.get("/x"))
    if wait > 0 { await pass(.seconds(wait)) }
    #expect(try await result.get() == 1)
  }

  @Test func manyAttemptsDoNotOverflowAWait() async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client {
      $0.attempts = 100
      $0.retryBudget = 1_000
    }
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    let advancing = Task { [clock] in
      while !Task.isCancelled {
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(10))
        await Task.yield()
      }
    }
    #expect(await task.value.failure?.status == .serviceUnavailable)
    #expect(stub.requests.count == 100)
    advancing.cancel()
  }

  @Test(arguments: [
    ("30", 30.0), ("0", 0), ("60", 60),
    ("Fri, 15 Jan 2027 08:00:30 GMT", 30), ("Friday, 15-Jan-27 08:00:30 GMT", 30),
    ("Fri Jan 15 08:00:30 2027", 30), ("Fri, 15 Jan 2027 07:00:00 GMT", 0),
  ])
  func whatTheServerAsksForIsWaited(value: String, seconds: Double) async throws {
    stub.stub(
      .get, "/x", with: .status(.serviceUnavailable, [.retryAfter: value]), .json("1"))
    let client = client(random: 0)
    async let result = client.result(of: Request<Int>.get("/x"))
    if seconds > 0 { await pass(.seconds(seconds)) }
    #expect(try await result.get() == 1)
  }

  @Test func whatTheServerAsksForIsTheLeast() async throws {
    stub.stub(
      .get, "/x", with: .status(.tooManyRequests, [.retryAfter: "30"]), .json("1"))
    let client = client(random: 1)
    async let result = client.result(of: Request<Int>.get("/x"))
    // Half a second on top, so that those who wait do not all come back at once.
    await pass(.seconds(30.5))
    #expect(try await result.get() == 1)
  }

  @Test(arguments: ["soon", "-1", "1.5", ""])
  func nonsenseIsNoWish(value: String) async throws {
    stub.stub(
      .get, "/x", with: .status(.serviceUnavailable, [.retryAfter: value]), .json("1"))
    let client = client()
    async let result = client.result(of: Request<Int>.get("/x"))
    await pass(.seconds(0.5))
    #expect(try await result.get() == 1)
  }

  @Test(arguments: ["Sat, 16 Jan 2027 08:00:00 GMT", "86400", "61", "99999999999999999999"])
  func whatTakesTooLongIsNotWaitedFor(value: String) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable, [.retryAfter: value]))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .serviceUnavailable)
    #expect(stub.requests.count == 1 && clock.sleepers == 0)
  }

  private func gitHub(remaining: Int, reset: Int) throws -> HTTPFields {
    [
      try #require(HTTPField.Name("X-RateLimit-Limit")): "60",
      try #require(HTTPField.Name("X-RateLimit-Remaining")): "\(remaining)",
      try #require(HTTPField.Name("X-RateLimit-Reset")): "\(reset)",
    ]
  }

  @Test(arguments: [HTTPResponse.Status.forbidden, .tooManyRequests])
  func aUsedUpLimitIsWaitedFor(status: HTTPResponse.Status) async throws {
    stub.stub(
      .get, "/x", with: .status(status, try gitHub(remaining: 0, reset: 1_800_000_020)),
      .json("1"))
    let client = client(random: 0)
    async let result = client.result(of: Request<Int>.get("/x"))
    await pass(.seconds(20))
    #expect(try await result.get() == 1)
  }

  @Test func aLimitThatIsUsedUpForLongStands() async throws {
    stub.stub(
      .get, "/x", with: .status(.forbidden, try gitHub(remaining: 0, reset: 1_800_003_000)))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.statusFailure?.isRateLimited == true)
    #expect(stub.requests.count == 1)
  }

  @Test func aForbiddenThingIsNotALimit() async throws {
    stub.stub(
      .get, "/x", with: .status(.forbidden, try gitHub(remaining: 30, reset: 1_800_000_020)))
    let error = await client().result(of: Request<Int>.get("/x")).failure
    #expect(error?.status == .forbidden)
    #expect(stub.requests.count == 1)
  }

  @Test func whatALimitSaysIsNoWishOfAServerThatFailed() async throws {
    stub.stub(
      .get, "/x",
      with: .status(.badGateway, try gitHub(remaining: 0, reset: 1_800_000_050)), .json("1"))
    let client = client()
    async let result = client.result(of: Request<Int>.get("/x"))
    await pass(.seconds(0.5))
    #expect(try await result.get() == 1)
  }

  // MARK: The deadline

  @Test(arguments: Way.allCases)
  func aWaitThatDoesNotFitIsNotBegun(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable).after(.seconds(4)))
    let client = client(way, limits: Limits(firstByte: nil, total: .seconds(10))) {
      $0.baseDelay = .seconds(1)
      $0.attempts = 10
    }
    async let result = client.result(of: Request<Int>.get("/x"))
    // A response, a wait, a response; beside them the watchdog sleeps.
    for seconds in [4, 1, 4] {
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(seconds))
    }
    // At 9 s, 2 s more do not fit: the last failure stands, at once.
    #expect(await result.failure?.status == .serviceUnavailable)
    #expect(clock.now.offset == .seconds(9))
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: Way.allCases)
  func oneDeadlineHoldsForAttemptsWaitsAndRedirectsTogether(way: Way) async throws {
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
  func theWholeTimeEndsTheSecondAttempt(way: Way) async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .held(by: gate))
    let client = client(way, limits: Limits(firstByte: nil, total: .seconds(10)))
    async let result = client.result(of: Request<Int>.get("/x"))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(0.5))
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(9.5))
    #expect(await result.failure?.timeoutFailure?.limit == .total)
    await gate.waitForCancellations(1)
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: Way.allCases)
  func aResponseThatDoesNotBeginIsAskedForAgain(way: Way) async throws {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .held(by: gate), .json("1"))
    let client = client(way, limits: Limits(firstByte: .seconds(5), total: .seconds(60)))
    async let result = client.result(of: Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(5))
    // The transfer was stopped; the request goes on.
    await gate.waitForCancellations(1)
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(0.5))
    #expect(try await result.get() == 1)
    #expect(stub.requests.count == 2)
  }

  @Test(arguments: Way.allCases)
  func eachAttemptHasItsOwnTimeToTheFirstByte(way: Way) async throws {
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
  func cancellingDuringAWaitEndsIt(way: Way) async {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable))
    let client = client(way)
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    await clock.waitForSleepers(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    #expect(clock.sleepers == 0)
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func cancellingDuringTheSecondAttemptEndsIt(way: Way) async {
    let gate = StubGate()
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .held(by: gate))
    let client = client(way, random: 0)
    let task = Task { await client.result(of: Request<Int>.get("/x")) }
    await gate.waitForRequests(1)
    task.cancel()
    #expect(await task.value.failure?.isCancelled == true)
    await gate.waitForCancellations(1)
    #expect(stub.requests.count == 2)
  }
}
