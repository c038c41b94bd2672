import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CircuitBreakerTests {
  private var (clock, stub, gate) = heldStub()
  private let breaker: CircuitBreaker
  private let host = "api.example.com"

  init() {
    breaker = CircuitBreaker(threshold: 3, openTime: .seconds(30), clock: clock)
  }

  private func client(_ way: Way = .taskOfItsOwn, limits: Limits = .endless) -> Client {
    .stubbed(by: stub, way, network: [.circuitBreaker(breaker)], limits: limits)
  }

  private func call(_ client: Client) -> Call<Int> { client.call(.get("/x")) }

  private func fail(_ client: Client, _ count: Int) async {
    for _ in 0..<count {
      gate.respond(with: .status(.badGateway))
      _ = await client.result(of: Request<Int>.get("/x"))
    }
  }

  /// Opens the circuit, and sends one probe after its open time.
  private func probe(_ client: Client) async -> Call<Int> {
    await fail(client, 3)
    clock.advance(by: .seconds(30))
    #expect(breaker.status(of: host) == .halfOpen)
    let probe = call(client)
    await gate.waitForRequests(4)
    return probe
  }

  @Test(arguments: Way.allCases)
  func `failures in a row open the circuit`(way: Way) async throws {
    let client = client(way)
    #expect(breaker.status(of: host) == .closed(failures: 0))
    await fail(client, 2)
    #expect(breaker.status(of: host) == .closed(failures: 2))
    gate.respond(with: .failure(URLError(.cannotConnectToHost)))
    _ = await client.result(of: Request<Int>.get("/x"))
    #expect(breaker.status(of: host) == .open(remaining: .seconds(30)))
    clock.advance(by: .seconds(10))
    #expect(breaker.status(of: host) == .open(remaining: .seconds(20)))
    let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
    let failure = try #require(error.holdFailure)
    #expect(failure.reason == .circuitOpen && failure.retryAfter == .seconds(20))
    #expect(error.isRetryable)
    #expect(
      error.localizedDescription
        == "\(UserTexts.english.notWorking) \(UserTexts.english.tryAgain(.init(after: .seconds(20))))"
    )
    #expect(
      "\(error)".hasPrefix("GET https://api.example.com/x: not sent: the circuit breaker is open"))
    #expect(stub.requests.count == 3)
  }

  @Test func `five failures open it for half a minute on the client's clock by default`() async {
    let breaker = CircuitBreaker()
    #expect(breaker.status(of: host) == .closed(failures: 0))
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.circuitBreaker(breaker)] }
    await fail(client, 4)
    #expect(breaker.status(of: host) == .closed(failures: 4))
    await fail(client, 1)
    clock.advance(by: .seconds(10))
    #expect(breaker.status(of: host) == .open(remaining: .seconds(20)))
  }

  @Test(arguments: [200, 301, 400, 401, 404, 429])
  func `a response that is no failure of the server begins the count anew`(code: Int) async {
    let client = client()
    await fail(client, 2)
    gate.respond(with: .json("1", status: .init(code: code)))
    _ = await client.result(of: Request<Int>.get("/x"))
    #expect(breaker.status(of: host) == .closed(failures: 0))
    await fail(client, 2)
    #expect(breaker.status(of: host) == .closed(failures: 2))
  }

  enum Pause: CaseIterable { case beforeTheHead, beforeTheHeadForLong, inTheBody, inTheBodyForLong }

  @Test(arguments: Way.allCases, Pause.allCases)
  func `timeouts count`(way: Way, pause: Pause) async {
    var (limits, limit) = (Limits.endless, Client.TimeoutFailure.Limit.total)
    switch pause {
    case .beforeTheHead: (limits.firstByte, limit) = (.seconds(5), .firstByte)
    case .inTheBody: (limits.idle, limit) = (.seconds(5), .idle)
    default: limits.total = .seconds(5)
    }
    let client = client(way, limits: limits)
    let isInBody = [Pause.inTheBody, .inTheBodyForLong].contains(pause)
    let pieces = StubGate()
    for count in 1...4 {
      if isInBody { gate.respond(with: .body(first: Data("1".utf8), heldBy: pieces)) }
      let caller = call(client)
      await (isInBody ? pieces : gate).waitForRequests(count)
      await clock.waitForSleepers()
      clock.advance(by: .seconds(5))
      #expect(await caller.value.failure?.timeoutFailure?.limit == limit)
      // From the third failure on, the circuit is open; the fourth request is a failed probe.
      let isOpen = count > 2
      await eventually {
        breaker.status(of: host)
          == (isOpen ? .open(remaining: .seconds(30)) : .closed(failures: count))
      }
      if count == 3 { clock.advance(by: .seconds(30)) }
    }
  }

  @Test(arguments: Way.allCases)
  func `cancellations do not count`(way: Way) async {
    let client = client(way)
    for count in 1...5 {
      let caller = call(client)
      await gate.waitForRequests(count)
      caller.cancel()
      _ = await caller.value
    }
    #expect(breaker.status(of: host) == .closed(failures: 0))
  }

  @Test(arguments: Way.allCases)
  func `after the time one request tries and its success closes the circuit`(way: Way) async throws
  {
    let client = client(way)
    let probe = await probe(client)
    for _ in 1...3 {
      let failure = await client.result(of: Request<Int>.get("/x")).failure?.holdFailure
      #expect(failure?.reason == .circuitOpen && failure?.retryAfter == .zero)
    }
    #expect(breaker.status(of: host) == .halfOpen)
    gate.respond(with: .json("1"))
    #expect(try await probe.value.get() == 1)
    #expect(breaker.status(of: host) == .closed(failures: 0))
    gate.respondToAll(with: .json("1"))
    let callers = (0..<5).map { _ in call(client) }
    for caller in callers { #expect(try await caller.value.get() == 1) }
  }

  @Test(arguments: [
    StubResponse.status(.badGateway), .json("[1, 2, 3]").cut(after: 4),
  ])
  func `a failure of the one that tries opens it anew`(response: StubResponse) async {
    let client = client()
    await fail(client, 3)
    clock.advance(by: .seconds(45))
    gate.respond(with: response)
    _ = await client.result(of: Request<[Int]>.get("/x"))
    #expect(breaker.status(of: host) == .open(remaining: .seconds(30)))
  }

  @Test(arguments: Way.allCases)
  func `responses that break off count and those that are not read do not`(way: Way) async {
    let client = client(way)
    for count in 1...2 {
      gate.respond(with: .json("[1, 2, 3]").cut(after: 4))
      #expect(await client.result(of: Request<[Int]>.get("/x")).failure?.transportFailure != nil)
      #expect(breaker.status(of: host) == .closed(failures: count))
    }
    // The part of the body that arrived already exceeds the limit.
    var limits = Limits.endless
    limits.bodySize = 2
    let limited = self.client(way, limits: limits)
    gate.respond(with: .json("[1, 2, 3]").cut(after: 8))
    #expect(await limited.result(of: Request<[Int]>.get("/x")).failure?.tooLarge != nil)
    await eventually { breaker.status(of: host) == .closed(failures: 0) }
  }

  @Test(arguments: Way.allCases)
  func `a cancelled try leaves it half open`(way: Way) async throws {
    let client = client(way)
    let probe = await probe(client)
    probe.cancel()
    _ = await probe.value
    #expect(breaker.status(of: host) == .halfOpen)
    gate.respond(with: .json("1"))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
    #expect(breaker.status(of: host) == .closed(failures: 0))
  }

  @Test(arguments: [true, false])
  func `what was sent before it opened changes nothing`(isCancelled: Bool) async throws {
    let client = client()
    let early = call(client)
    await gate.waitForRequests(1)
    for _ in 0..<3 {
      let before = stub.requests.count
      let failing = call(client)
      await gate.waitForRequests(before + 1)
      gate.respondToNewest(with: .status(.badGateway))
      _ = await failing.value
    }
    clock.advance(by: .seconds(30))
    let probe = call(client)
    await gate.waitForRequests(5)
    // The early request ends while the probe is in flight.
    if isCancelled { early.cancel() } else { gate.respond(with: .status(.badGateway)) }
    _ = await early.value
    #expect(breaker.status(of: host) == .halfOpen)
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.holdFailure != nil)
    gate.respond(with: .json("1"))
    #expect(try await probe.value.get() == 1)
    #expect(breaker.status(of: host) == .closed(failures: 0))
  }

  @Test func `late failures do not keep it open for longer`() async {
    let client = client()
    let callers = (0..<5).map { _ in call(client) }
    await gate.waitForRequests(5)
    for number in 0..<5 {
      gate.respond(with: .status(.badGateway))
      await eventually { number < 2 ? breaker.status(of: host) != .closed(failures: number) : true }
      if number > 1 {
        await eventually { if case .open = breaker.status(of: host) { true } else { false } }
        clock.advance(by: .seconds(5))
      }
    }
    for caller in callers { _ = await caller.value }
    #expect(breaker.status(of: host) == .open(remaining: .seconds(15)))
  }

  @Test func `hosts have circuits of their own`() async throws {
    await fail(client(), 3)
    let other = Client.stubbed(by: stub, baseURL: "https://other.example") {
      $0.networkMiddleware = [.circuitBreaker(breaker)]
    }
    gate.respond(with: .json("1"))
    #expect(try await other.send(Request<Int>.get("/x")) == 1)
  }

  @Test func `an open circuit is not retried`() async {
    await fail(client(), 3)
    let client = Client.stubbed(
      by: stub, .taskOfItsOwn, [.retrying()], network: [.circuitBreaker(breaker)], limits: .endless)
    #expect(await client.result(of: Request<Int>.get("/x")).failure?.holdFailure != nil)
    #expect(stub.requests.count == 3 && clock.sleepers == 0)
  }
}
