import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

/// Requests held after a refusal, and how they continue.
@Suite(.timeLimit(.minutes(1)))
struct RateBudgetTests {
  var (clock, stub, gate) = heldStub()
  let budget: RateBudget
  let waits = Waits()
  let host = "api.example.com"

  init() {
    budget = RateBudget(clock: clock, now: { Date(timeIntervalSince1970: 1_800_000_000) })
  }

  func client(_ way: Way = .taskOfItsOwn, total: Duration? = nil) -> Client {
    .stubbed(
      by: stub, way, network: [.rateBudget(budget)], limits: Limits(firstByte: nil, total: total),
      waits: waits)
  }

  /// The number of requests that are in flight or waiting for a response.
  var requests: Int { waits.count + gate.held.count }

  /// Returns GitHub's recorded response to too many requests.
  private func refusal(_ wait: String = "60") -> StubResponse {
    let body = """
      {"documentation_url":"https://docs.github.com/free-pro-team@latest/rest/overview/\
      rate-limits-for-the-rest-api#about-secondary-rate-limits","message":"You have exceeded a \
      secondary rate limit. Please wait a few minutes before you try again."}
      """
    return .text(
      body, contentType: "application/json; charset=utf-8", status: .forbidden, [.retryAfter: wait])
  }

  /// Sends a request that gets a refusal.
  private func beRefused(_ client: Client, _ response: StubResponse? = nil) async {
    let before = stub.requests.count
    gate.respond(with: response ?? refusal())
    let error = await client.result(of: Request<Int>.get("/first")).failure
    #expect(error?.statusFailure?.isRateLimited == true)
    #expect(stub.requests.count == before + 1)
  }

  func call(_ client: Client, _ count: Int, prefetch: Bool = false) -> [Call<Int>] {
    (0..<count).map { number in
      let endpoint = Request<Int>.get("/\(prefetch ? "later" : "now")/\(number)")
      return client.call(prefetch ? endpoint.prefetch() : endpoint)
    }
  }

  /// Starts a request that is in flight when another request is refused.
  private func beRefusedLater(_ client: Client) async -> Call<Int> {
    let early = client.call(Request<Int>.get("/early"))
    await gate.waitForRequests(1)
    let refused = client.call(Request<Int>.get("/refused"))
    await gate.waitForRequests(2)
    gate.respondToNewest(with: refusal())
    _ = await refused.value
    return early
  }

  /// Starts requests that wait for the end of a hold, and expects one of them to be sent then.
  private func probe(_ client: Client, _ count: Int) async -> [Call<Int>] {
    let before = stub.requests.count
    let callers = call(client, count)
    await clock.waitForSleepers(count)
    clock.advance(by: .seconds(60))
    await gate.waitForRequests(before + 1)
    return callers
  }

  @Test(arguments: Way.allCases)
  func `a hundred callers cost one probe when the hold ends`(way: Way) async throws {
    let client = client(way, total: .seconds(120))
    await beRefused(client)
    let callers = call(client, 100)
    // 100 requests and the watchdog sleep.
    await clock.waitForSleepers(101)
    for second in 1..<60 {
      clock.advance(by: .seconds(1))
      let hold = try #require(budget.pauses.first)
      #expect(hold.scope == host && hold.remaining == .seconds(60 - second))
    }
    clock.advance(by: .milliseconds(999))
    #expect(budget.pauses.first?.remaining == .milliseconds(1))
    #expect(clock.sleepers == 101)
    #expect(stub.requests.count == 1)

    clock.advance(by: .milliseconds(1))
    #expect(budget.pauses.isEmpty)
    // All requests are started: the probe is in flight, the others wait for its response.
    await eventually { requests == 100 }
    await gate.waitForRequests(2)
    #expect(stub.requests.count == 2)
    gate.respond(with: .json("7"))
    await gate.waitForRequests(101)
    gate.respondToAll(with: .json("7"))
    for caller in callers { #expect(try await caller.value.get() == 7) }
    #expect(stub.requests.count == 101)
    #expect(requests == 0)
  }

  @Test(arguments: Way.allCases)
  func `a probe that is refused holds all again`(way: Way) async throws {
    let client = client(way)
    await beRefused(client)
    let callers = await probe(client, 10)
    await eventually { requests == 10 }
    gate.respond(with: refusal("30"))
    await clock.waitForSleepers(9)
    #expect(budget.pauses.first?.remaining == .seconds(30))
    #expect(stub.requests.count == 2)
    clock.advance(by: .seconds(30))
    await gate.waitForRequests(3)
    await eventually { requests == 9 }
    #expect(stub.requests.count == 3)
    gate.respondToAll(with: .json("1"))
    var refused = 0
    for caller in callers where await caller.value.failure != nil { refused += 1 }
    #expect(refused == 1)
    #expect(stub.requests.count == 11)
  }

  @Test(arguments: Way.allCases, [true, false])
  func `a probe without a response leaves the question to the next`(way: Way, isCancelled: Bool)
    async throws
  {
    let client = client(way)
    await beRefused(client)
    let callers = await probe(client, 5)
    await eventually { requests == 5 }
    if isCancelled {
      let number = try #require(stub.requests.last?.head.path?.last?.wholeNumberValue)
      callers[number].cancel()
      await gate.waitForCancellations(1)
    } else {
      gate.respond(with: .failure(URLError(.networkConnectionLost)))
    }
    await gate.waitForRequests(3)
    await eventually { requests == 4 }
    #expect(stub.requests.count == 3)
    gate.respondToAll(with: .json("1"))
    var succeeded = 0
    for caller in callers where await caller.value.failure == nil { succeeded += 1 }
    #expect(succeeded == 4)
  }

  @Test(arguments: [true, false])
  func `what was sent before the hold does not end it`(isCancelled: Bool) async {
    let client = client()
    let early = await beRefusedLater(client)
    let callers = await probe(client, 5)
    await eventually { requests == 6 }
    // The early request ends while the probe is in flight.
    if isCancelled { early.cancel() } else { gate.respond(with: .json("1")) }
    _ = await early.value
    await eventually { requests == 5 }
    for _ in 0..<100 { await Task.yield() }
    #expect(stub.requests.count == 3)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
  }

  @Test func `without a clock of its own it has the client's`() async throws {
    let budget = RateBudget()
    #expect(budget.pauses.isEmpty)
    let client = Client.stubbed(by: stub) { $0.networkMiddleware = [.rateBudget(budget)] }
    await beRefused(client)
    clock.advance(by: .seconds(20))
    #expect(budget.pauses.map(\.remaining) == [.seconds(40)])
  }

  @Test func `an early response after the hold does not stand for the probe`() async {
    let client = client()
    let early = await beRefusedLater(client)
    clock.advance(by: .seconds(60))
    gate.respond(with: .json("1"))
    _ = await early.value
    let callers = call(client, 5)
    await gate.waitForRequests(3)
    await eventually { requests == 5 }
    #expect(stub.requests.count == 3)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
  }

  @Test(arguments: Way.allCases)
  func `who may not wait as long fails at once and hears when`(way: Way) async throws {
    let client = client(way, total: .seconds(30))
    await beRefused(client)
    clock.advance(by: .milliseconds(500))
    let error = try #require(await client.result(of: Request<Int>.get("/x")).failure)
    let failure = try #require(error.holdFailure)
    #expect(failure.reason == .rateLimit && failure.retryAfter == .seconds(59.5))
    #expect(failure.request == "GET https://api.example.com/x")
    #expect(error.isRetryable && error.request == failure.request)
    #expect(
      error.localizedDescription
        == "\(UserTexts.english.rateLimited) \(UserTexts.english.tryAgain(.init(after: .seconds(60))))"
    )
    #expect("\(error)".contains("not sent: the rate limit is exhausted; retry after 59.5 seconds"))
    #expect(stub.requests.count == 1)
  }

  @Test(arguments: Way.allCases)
  func `cancelling a wait ends it and no more`(way: Way) async throws {
    let client = client(way)
    await beRefused(client)
    let callers = call(client, 3)
    await clock.waitForSleepers(3)
    callers[0].cancel()
    #expect(await callers[0].value.failure?.isCancelled == true)
    #expect(clock.sleepers == 2)
    clock.advance(by: .seconds(60))
    await gate.waitForRequests(2)
    await eventually { requests == 2 }
    // Cancels a request that waits for the probe.
    let probe = stub.requests.last?.head.path
    let follower = probe == "/now/1" ? 2 : 1
    callers[follower].cancel()
    #expect(await callers[follower].value.failure?.isCancelled == true)
    #expect(requests == 1)
    gate.respond(with: .json("1"))
    #expect(try await callers[3 - follower].value.get() == 1)
  }

  @Test(arguments: Way.allCases)
  func `a limit of time passes while a probe is awaited`(way: Way) async {
    let client = client(way)
    await beRefused(client)
    clock.advance(by: .seconds(59))
    let hurried = Request<Int>.get("/hurried").limits { $0.total = .seconds(10) }
    let callers = call(client, 1)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await gate.waitForRequests(2)
    async let result = client.result(of: hurried)
    await eventually { requests == 2 }
    clock.advance(by: .seconds(10))
    #expect(await result.failure?.timeoutFailure?.limit == .total)
    #expect(requests == 1)
    gate.respond(with: .json("1"))
    #expect(await callers[0].value.failure == nil)
  }

  @Test func `hosts are held apart`() async throws {
    let client = client()
    let other = Client.stubbed(by: stub, baseURL: "https://other.example:8443") {
      $0.networkMiddleware = [.rateBudget(budget)]
    }
    await beRefused(client)
    gate.respond(with: .json("2"))
    #expect(try await other.send(Request<Int>.get("/x")) == 2)
    gate.respond(with: refusal("20"))
    _ = await other.result(of: Request<Int>.get("/x"))
    // The pause that ends first comes first.
    #expect(budget.pauses.map(\.scope) == ["other.example:8443", host])
  }

  @Test func `a redirect to a held host waits too`() async throws {
    let client = client(total: .seconds(30))
    await beRefused(client)
    let other = Client.stubbed(by: stub, baseURL: "https://other.example") {
      $0.networkMiddleware = [.rateBudget(budget)]
      $0.limits = client.configuration.limits
    }
    gate.respond(with: .status(.found, [.location: "https://api.example.com/there"]))
    let failure = try #require(
      await other.result(of: Request<Int>.get("/here")).failure?.holdFailure)
    #expect(failure.request == "GET https://api.example.com/there")
  }

  @Test(arguments: ["86400", "9999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
  func `no hold is longer than an hour`(wait: String) async throws {
    let client = client()
    await beRefused(client, refusal(wait))
    #expect(budget.pauses.first?.remaining == .seconds(3_600))
    clock.advance(by: .seconds(3_600))
    gate.respond(with: .json("1"))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  @Test(arguments: ["soon", "0", "Sun, 06 Nov 1994 08:49:37 GMT", nil])
  func `a429 without a time ahead and a plain403 hold nothing`(wait: String?) async throws {
    let client = client()
    gate.respond(
      with: wait.map { .status(.tooManyRequests, [.retryAfter: $0]) } ?? .status(.forbidden))
    let error = await client.result(of: Request<Int>.get("/first")).failure
    #expect(error?.statusFailure?.isRateLimited == (wait != nil))
    #expect(budget.pauses.isEmpty)
    gate.respond(with: .json("1"))
    #expect(try await client.send(Request<Int>.get("/x")) == 1)
  }

  /// A limit without an end would let one request pass at a time forever.
  @Test func `a limit that nobody ends is over with a response that knows none`() async throws {
    let client = client()
    let used = response(["Retry-After": "5", "X-RateLimit-Remaining": "0"], .tooManyRequests)
    await beRefused(client, used)
    clock.advance(by: .seconds(5))
    let probe = call(client, 1)
    await gate.waitForRequests(2)
    gate.respond(with: .json("1"))
    #expect(try await probe[0].value.get() == 1)
    let callers = call(client, 3)
    await gate.waitForRequests(5)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(try await caller.value.get() == 1) }
  }

  @Test func `a reset in years holds a prefetch for an hour`() async throws {
    let client = client()
    gate.respond(with: response(["RateLimit": "\"default\";r=0;t=1000000000"]))
    _ = await client.result(of: Request<Int>.get("/first").prefetch())
    let later = call(client, 1, prefetch: true)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(3_600))
    await gate.waitForRequests(2)
    gate.respond(with: .json("1"))
    #expect(try await later[0].value.get() == 1)
  }
}
