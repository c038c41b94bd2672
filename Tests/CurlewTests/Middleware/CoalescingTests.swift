import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import Curlew

@Suite(.timeLimit(.minutes(1)))
struct CoalescingTests {
  private var (clock, stub, gate) = heldStub("/x")
  private let coalescing = StandardMiddleware.coalescing
  private let waits = Waits()

  private func client(_ way: Way = .taskOfItsOwn, limits: Limits = .endless) -> Client {
    .stubbed(by: stub, way, [coalescing], limits: limits, waits: waits)
  }

  private func call(_ client: Client, _ endpoint: Request<Int> = .get("/x")) -> Call<Int> {
    client.call(endpoint)
  }

  /// Starts a transfer, and callers that wait for its response.
  private func callers(
    _ client: Client, _ count: Int, _ first: Request<Int> = .get("/x")
  ) async -> [Call<Int>] {
    let before = waits.count
    let leader = call(client, first)
    await gate.waitForRequests(1)
    let others = (1..<count).map { _ in call(client) }
    await eventually { waits.count == before + count - 1 }
    return [leader] + others
  }

  private func expectEnd(
    transfers: Int? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(waits.count == 0, sourceLocation: sourceLocation)
    let count = stub.requests.count
    #expect(count == transfers ?? count, sourceLocation: sourceLocation)
  }

  @Test(arguments: Way.allCases)
  func `identical requests share one transfer`(way: Way) async throws {
    let callers = await callers(client(way), 50)
    #expect(waits.count == 49)
    gate.respond(with: .json("7"))
    for caller in callers { #expect(try await caller.value.get() == 7) }
    expectEnd(transfers: 1)
  }

  @Test func `the response is the same for all`() async throws {
    stub.stub(.get, "/x", with: .status(.found, [.location: "/y"]))
    let gate = stub.hold(.get, "/y")
    let client = client()
    let tasks = (0..<10).map { _ in
      Task { try await client.response(for: Request<String>.get("/x")) }
    }
    await gate.waitForRequests(1)
    await eventually { waits.count == 9 }
    gate.respond(with: .text("hello", [.eTag: "\"a\""]))
    for task in tasks {
      let response = try await task.value
      #expect(response.value == "hello" && response.head.headerFields[.eTag] == "\"a\"")
      #expect(response.url == "https://api.example.com/y")
    }
    expectEnd(transfers: 2)
  }

  @Test func `head requests share theirs`() async throws {
    let gate = stub.hold(.head, "/x")
    let client = client()
    let tasks = (0..<2).map { _ in Task { try await client.send(Request<Void>.head("/x")) } }
    await eventually { waits.count == 1 }
    await gate.waitForRequests(1)
    gate.respond(with: .status(.ok))
    for task in tasks { try await task.value }
    #expect(stub.requests.count == 1)
  }

  @Test func `requests that are over share nothing`() async throws {
    gate.respondToAll(with: .json("1"))
    let client = client()
    for _ in 1...3 { _ = try await client.send(Request<Int>.get("/x")) }
    expectEnd(transfers: 3)
  }

  private static let otherMethods = [HTTPRequest.Method.post, .put, .patch, .delete, .options]

  /// Pairs of requests that must not share a response.
  private static let pairs: [(Request<Int>, Request<Int>)] =
    [
      (.get("/x"), .get("/y")), (.get("/x"), .get("/x", query: ["page": 2])),
      (.get("/x"), .get("/x", headerFields: [.authorization: "Bearer anns"])),
      (
        .get("/x", headerFields: [.authorization: "Bearer anns"]),
        .get("/x", headerFields: [.authorization: "Bearer bobs"])
      ),
      (.get("/x"), .get("/x", headerFields: [.acceptLanguage: "de"])),
      (.get("/x"), .get("/x", headerFields: [.cookie: "a=b"])),
      (.get("/x"), .get("/x").limits { $0.firstByte = .seconds(5) }),
    ]
    + (otherMethods.map { Request<Int>($0, "/x", decoding: .automatic) }
    + [Request<Int>(.get, "/x", body: .json([1]), decoding: .automatic)]).map { ($0, $0) }

  @Test(arguments: pairs.indices)
  func `different requests and other methods share nothing`(pair: Int) async {
    let (first, second) = Self.pairs[pair]
    let gate = StubGate()
    for method in Self.otherMethods + [.get] { stub.stub(method, "/**", with: .held(by: gate)) }
    let client = client()
    let callers = [call(client, first), call(client, second)]
    await gate.waitForRequests(2)
    #expect(waits.count == 0)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
  }

  @Test(
    arguments: Way.allCases,
    [
      (.failure(Client.TransportFailure(.lost, reason: "reset by peer")), "reset by peer"),
      (.json(#"{"message": "Not here."}"#, status: .notFound), "status 404: Not here."),
      (.json("12345678901"), "the body exceeds 10 bytes"),
    ] as [(StubResponse, String)])
  func `an error goes to all with its text`(
    way: Way, _ error: (response: StubResponse, text: String)
  ) async {
    var limits = Limits.endless
    limits.bodySize = 10
    let callers = await callers(client(way, limits: limits), 5)
    gate.respond(with: error.response)
    for caller in callers {
      let failure = await caller.value.failure
      #expect(failure.map { "\($0)" }?.contains(error.text) == true, "\(failure as Any)")
    }
    expectEnd(transfers: 1)
  }

  @Test func `clients of two hosts share nothing`() async {
    let other = Client.stubbed(by: stub, baseURL: "https://other.example") {
      $0.middleware = [coalescing]
    }
    let callers = [call(client()), call(other)]
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
  }

  @Test(arguments: Way.allCases)
  func `a body that breaks is an error for all`(way: Way) async {
    let pieces = StubGate()
    let callers = await callers(client(way), 3)
    gate.respond(with: .body(heldBy: pieces))
    await pieces.waitForRequests(1)
    pieces.respond(with: .failure(URLError(.networkConnectionLost)))
    for caller in callers { #expect(await caller.value.failure?.transportFailure != nil) }
    expectEnd(transfers: 1)
  }

  @Test func `a smaller limit of one is not the others`() async throws {
    let client = client()
    let narrow = call(client, Request<Int>.get("/x").limits { $0.bodySize = 2 })
    await gate.waitForRequests(1)
    let wide = call(client)
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("12345"))
    #expect(await narrow.value.failure?.tooLarge?.bytes == 2)
    #expect(try await wide.value.get() == 12_345)
  }

  @Test func `what one endpoint keeps secret is secret in its errors`() async {
    let gate = stub.hold(.get, "/search")
    let client = client()
    let open = call(client, .get("/search", query: ["code": "hunter22"]))
    let secret = call(client, .get("/search", query: ["code": Sensitive("hunter22")]))
    await gate.waitForRequests(2)
    gate.respondToAll(with: .failure(URLError(.networkConnectionLost)))
    #expect("\(await open.value)".contains("hunter22"))
    #expect(await !"\(secret.value)".contains("hunter22"))
  }

  // MARK: Ends of a single caller

  @Test(arguments: Way.allCases, [true, false])
  func `the first ones end leaves the others`(way: Way, isCancelled: Bool) async throws {
    let hurried = Request<Int>.get("/x").limits { $0.total = .seconds(5) }
    let callers = await callers(client(way), 4, hurried)
    if isCancelled { callers[0].cancel() } else { clock.advance(by: .seconds(5)) }
    let error = try #require(await callers[0].value.failure)
    #expect(isCancelled ? error.isCancelled : error.timeoutFailure?.limit == .total)
    await gate.waitForCancellations(1)
    // A waiting caller sends a new request; there is still only one transfer.
    await gate.waitForRequests(2)
    #expect(waits.count == 2)
    gate.respond(with: .json("7"))
    for caller in callers.dropFirst() { #expect(try await caller.value.get() == 7) }
    expectEnd(transfers: 2)
  }

  @Test(arguments: Way.allCases)
  func `the last cancellation ends the transfer`(way: Way) async {
    let client = client(way)
    let callers = await callers(client, 4)
    for caller in callers.dropFirst() { caller.cancel() }
    for caller in callers.dropFirst() {
      #expect(await caller.value.failure?.isCancelled == true)
    }
    #expect(gate.held.count == 1 && gate.cancelled == 0)
    callers[0].cancel()
    #expect(await callers[0].value.failure?.isCancelled == true)
    await gate.waitForCancellations(1)
    expectEnd(transfers: 1)
    // All callers cancel at once.
    let more = await self.callers(client, 20)
    for caller in more { caller.cancel() }
    for caller in more { #expect(await caller.value.failure?.isCancelled == true) }
    await eventually { gate.held.isEmpty }
    expectEnd()
  }

  @Test(arguments: Way.allCases, [true, false])
  func `one that waits ends alone`(way: Way, isCancelled: Bool) async throws {
    let client = client(way)
    let callers = await callers(client, 2)
    let hurried = call(client, Request<Int>.get("/x").limits { $0.total = .seconds(5) })
    await eventually { waits.count == 2 }
    clock.advance(by: .milliseconds(4_999))
    #expect(waits.count == 2)
    if isCancelled { hurried.cancel() } else { clock.advance(by: .milliseconds(1)) }
    let error = try #require(await hurried.value.failure)
    #expect(isCancelled ? error.isCancelled : error.timeoutFailure?.duration == .seconds(5))
    #expect(isCancelled || error.timeoutFailure?.limit == .total)
    #expect(waits.count == 1)
    gate.respond(with: .json("7"))
    for caller in callers { #expect(try await caller.value.get() == 7) }
    expectEnd(transfers: 1)
  }

  @Test(arguments: Way.allCases)
  func `a server that does not respond fails all together`(way: Way) async {
    let limits = Limits(firstByte: .seconds(10), total: .seconds(60))
    let callers = await callers(client(way, limits: limits), 6)
    clock.advance(by: .seconds(10))
    for caller in callers {
      #expect(await caller.value.failure?.timeoutFailure?.limit == .firstByte)
    }
    expectEnd(transfers: 1)
  }

  /// A caller that takes over the transfer keeps its own limits.
  @Test(arguments: Way.allCases, [true, false])
  func `who takes the transfer over keeps its limits`(way: Way, whileTheBodyArrives: Bool) async {
    let pieces = StubGate()
    let client = client(way)
    let callers = await callers(client, 1)
    let heir = call(client, Request<Int>.get("/x").limits { $0.total = .seconds(10) })
    await eventually { waits.count == 1 }
    clock.advance(by: .seconds(4))
    callers[0].cancel()
    await gate.waitForRequests(2)
    if whileTheBodyArrives {
      gate.respond(with: .body(heldBy: pieces))
      await pieces.waitForRequests(1)
    }
    clock.advance(by: .seconds(6))
    #expect(await heir.value.failure?.timeoutFailure?.limit == .total)
    await (whileTheBodyArrives ? pieces : gate).waitForCancellations(whileTheBodyArrives ? 1 : 2)
    expectEnd()
  }

  @Test func `one that may not wait for a rate limit does not fail the others`() async throws {
    let budget = RateBudget(clock: clock)
    let client = Client.stubbed(
      by: stub, .taskOfItsOwn, [coalescing], network: [.rateBudget(budget)], limits: .endless,
      waits: waits)
    gate.respond(with: .status(.tooManyRequests, [.retryAfter: "60"]))
    _ = await client.result(of: Request<Int>.get("/x"))
    clock.advance(by: .seconds(59))
    // The circuit breaker's probe.
    let probe = call(client, .get("/x", headerFields: [.acceptLanguage: "de"]))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await gate.waitForRequests(2)
    let leader = call(client, Request<Int>.get("/x").limits { $0.total = .seconds(10) })
    await eventually { waits.count == 1 }
    let patient = call(client)
    await eventually { waits.count == 2 }
    gate.respond(with: .status(.tooManyRequests, [.retryAfter: "60"]))
    #expect(await leader.value.failure?.holdFailure != nil)
    // The leader's time limit sleeps, too.
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(60))
    gate.respondToAll(with: .json("7"))
    #expect(try await patient.value.get() == 7)
    _ = await probe.value
  }

  @Test func `many come and go`() async {
    let generator = SharedGenerator(7)
    gate.respondToAll(with: .json("1"))
    let client = client()
    for _ in 0..<200 {
      let callers = (0..<8).map { _ in call(client) }
      for caller in callers where generator.int(in: 0..<3) == 0 { caller.cancel() }
      for caller in callers {
        let error = await caller.value.failure
        #expect(error == nil || error?.isCancelled == true)
      }
      expectEnd()
    }
  }

  @Test func `a request that somebody waits for does not wait for a prefetch`() async throws {
    let client = client()
    let prefetch = call(client, .get("/x").prefetch())
    await gate.waitForRequests(1)
    let urgent = call(client)
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("7"))
    for caller in [prefetch, urgent] { #expect(try await caller.value.get() == 7) }
  }

  @Test func `an error is that error however long its body is`() async throws {
    gate.respond(with: .json(String(repeating: "1", count: 100), status: .notFound))
    let endpoint = Request<Int>.get("/x").limits { $0.bodySize = 10 }
    #expect(await call(client(), endpoint).value.failure?.status == .notFound)
    expectEnd()
  }
}
