import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConcurrencyLimitTests {
  private var (clock, stub, gate) = heldStub()
  private let host = "api.example.com"
  private let limit = ConcurrencyLimit(1)

  private func client(
    _ limit: ConcurrencyLimit, _ way: Way = .taskOfItsOwn, others: [any Middleware] = []
  ) -> Client {
    .stubbed(by: stub, way, others, network: [.concurrency(limit)], limits: .endless)
  }

  /// Starts requests in this order.
  private func call(
    _ client: Client, _ limit: ConcurrencyLimit, _ endpoints: [Request<Int>]
  ) async -> [Call<Int>] {
    var callers: [Call<Int>] = []
    for endpoint in endpoints {
      let before = limit.status(of: host)
      callers.append(client.call(endpoint))
      await eventually { limit.status(of: host) != before }
    }
    return callers
  }

  private func status(_ running: Int, _ waiting: Int) -> ((running: Int, waiting: Int)) -> Bool {
    { $0.running == running && $0.waiting == waiting }
  }

  @Test(arguments: Way.allCases)
  func `no more run than allowed and the others keep their order`(way: Way) async throws {
    let limit = ConcurrencyLimit(2)
    let callers = await call(client(limit, way), limit, (0..<6).map { .get("/\($0)") })
    await gate.waitForRequests(2)
    #expect(status(2, 4)(limit.status(of: host)))
    for done in 1...6 {
      #expect(gate.held.count == min(2, 7 - done))
      gate.respond(with: .json("1"))
      await gate.waitForRequests(min(6, 2 + done))
    }
    for caller in callers { #expect(try await caller.value.get() == 1) }
    // The first two requests arrived at the same time.
    #expect(stub.requests.dropFirst(2).map(\.head.path) == ["/2", "/3", "/4", "/5"])
    #expect(status(0, 0)(limit.status(of: host)))
  }

  @Test(arguments: [-3, 0, 1])
  func `one may always run`(number: Int) async throws {
    gate.respondToAll(with: .json("1"))
    let limit = ConcurrencyLimit(number)
    #expect(try await client(limit).send(Request<Int>.get("/x")) == 1)
  }

  @Test func `prefetches let the others pass`() async {
    let callers = await call(
      client(limit), limit,
      [
        .get("/running"), .get("/later/1").prefetch(), .get("/later/2").prefetch(), .get("/now/1"),
        .get("/now/2"),
      ])
    gate.respondToAll(with: .json("1"))
    for caller in callers { #expect(await caller.value.failure == nil) }
    #expect(
      stub.requests.map(\.head.path) == ["/running", "/now/1", "/now/2", "/later/1", "/later/2"])
  }

  @Test(arguments: Way.allCases)
  func `who is cancelled while waiting gives no place away`(way: Way) async throws {
    let callers = await call(client(limit, way), limit, (0..<4).map { .get("/\($0)") })
    callers[1].cancel()
    #expect(await callers[1].value.failure?.isCancelled == true)
    #expect(status(1, 2)(limit.status(of: host)))
    await gate.waitForRequests(1)
    #expect(stub.requests.count == 1)
    gate.respond(with: .json("1"))
    await gate.waitForRequests(2)
    #expect(gate.held.map(\.head.path) == ["/2"])
    #expect(status(1, 1)(limit.status(of: host)))
    gate.respondToAll(with: .json("1"))
    for caller in [callers[0], callers[2], callers[3]] {
      #expect(try await caller.value.get() == 1)
    }
    #expect(status(0, 0)(limit.status(of: host)))
  }

  @Test(arguments: Way.allCases)
  func `who is cancelled while running passes the place on`(way: Way) async throws {
    let callers = await call(client(limit, way), limit, (0..<2).map { .get("/\($0)") })
    await gate.waitForRequests(1)
    callers[0].cancel()
    #expect(await callers[0].value.failure?.isCancelled == true)
    await gate.waitForRequests(2)
    gate.respond(with: .json("1"))
    #expect(try await callers[1].value.get() == 1)
  }

  @Test(arguments: Way.allCases)
  func `a limit of time passes while waiting`(way: Way) async {
    let hurried = Request<Int>.get("/1").limits { $0.total = .seconds(5) }
    let callers = await call(client(limit, way), limit, [.get("/0"), hurried])
    clock.advance(by: .seconds(5))
    #expect(await callers[1].value.failure?.timeoutFailure?.limit == .total)
    #expect(status(1, 0)(limit.status(of: host)))
    gate.respondToAll(with: .json("1"))
    #expect(await callers[0].value.failure == nil)
  }

  @Test(arguments: Way.allCases)
  func `who has waited keeps its limit of time`(way: Way) async {
    let hurried = Request<Int>.get("/1").limits { $0.total = .seconds(5) }
    let callers = await call(client(limit, way), limit, [.get("/0"), hurried])
    await gate.waitForRequests(1)
    gate.respond(with: .json("1"))
    await gate.waitForRequests(2)
    clock.advance(by: .seconds(5))
    #expect(await callers[1].value.failure?.timeoutFailure?.limit == .total)
    await gate.waitForCancellations(1)
    #expect(await callers[0].value.failure == nil)
    #expect(status(0, 0)(limit.status(of: host)))
  }

  /// Waiting for a slot does not count towards the time to the first byte.
  @Test(arguments: Way.allCases)
  func `the time to the first byte begins with the place`(way: Way) async throws {
    let second = Request<Int>.get("/1").limits { $0.firstByte = .seconds(5) }
    let callers = await call(client(limit, way), limit, [.get("/0"), second])
    clock.advance(by: .seconds(100))
    #expect(status(1, 1)(limit.status(of: host)))
    await gate.waitForRequests(1)
    gate.respond(with: .json("1"))
    await gate.waitForRequests(2)
    clock.advance(by: .seconds(5))
    #expect(await callers[1].value.failure?.timeoutFailure?.limit == .firstByte)
    #expect(try await callers[0].value.get() == 1)
  }

  @Test(arguments: Way.allCases)
  func `a place is held until the body is read`(way: Way) async throws {
    let pieces = StubGate()
    stub.stub(.get, "/0", with: .body(first: Data("1".utf8), heldBy: pieces))
    let callers = await call(client(limit, way), limit, [.get("/0"), .get("/1")])
    await pieces.waitForRequests(1)
    #expect(status(1, 1)(limit.status(of: host)))
    #expect(gate.held.isEmpty)
    pieces.respond(with: .status(.ok))
    await gate.waitForRequests(1)
    gate.respond(with: .json("2"))
    #expect(try await callers[0].value.get() == 1)
    #expect(try await callers[1].value.get() == 2)
    #expect(status(0, 0)(limit.status(of: host)))
  }

  @Test(arguments: Way.allCases)
  func `a body that is cancelled or breaks gives its place back`(way: Way) async throws {
    let pieces = StubGate()
    stub.stub(.get, "/body/*", with: .body(first: Data("1".utf8), heldBy: pieces))
    let limit = ConcurrencyLimit(2)
    let callers = await call(client(limit, way), limit, [.get("/body/0"), .get("/body/1")])
    await pieces.waitForRequests(2)
    callers[0].cancel()
    #expect(await callers[0].value.failure?.isCancelled == true)
    await eventually { limit.status(of: host).running == 1 }
    pieces.respond(with: .failure(URLError(.networkConnectionLost)))
    #expect(await callers[1].value.failure?.transportFailure != nil)
    await eventually { limit.status(of: host).running == 0 }
  }

  @Test(arguments: Way.allCases)
  func `a response that is kept holds no place once its body is read`(way: Way) async throws {
    let pieces = StubGate()
    pieces.respondToAll(with: .status(.ok))
    stub.stub(.get, "/**", with: .body(first: Data("1".utf8), heldBy: pieces))
    let kept = Events<IncomingResponse>()
    let keeping = FunctionMiddleware { request, next throws(Client.Error) in
      let response = try await next(request)
      kept.note(response)
      return response
    }
    let client = client(limit, way, others: [keeping])
    for number in 0..<3 { _ = try await client.send(Request<Int>.get("/\(number)")) }
    #expect(kept.entries.count == 3)
    #expect(limit.status(of: host).running == 0)
  }

  @Test(arguments: Way.allCases)
  func `a repeated and a redirected request needs one place`(way: Way) async throws {
    func unread(_ status: HTTPResponse.Status, _ fields: HTTPFields = [:]) -> StubResponse {
      .responding { [clock] _ in
        IncomingResponse(
          head: HTTPResponse(status: status, headerFields: fields),
          body: ResponseBody {
            {
              try await clock.sleep(for: .seconds(1))
              return nil
            }
          })
      }
    }
    stub.stub(.get, "/a", with: unread(.serviceUnavailable), unread(.found, [.location: "/b"]))
    let client = client(limit, way, others: [.retryingAtOnce])
    stub.stub(.get, "/b", with: .json("1"))
    #expect(try await client.send(Request<Int>.get("/a")) == 1)
    #expect(status(0, 0)(limit.status(of: host)))
  }

  @Test func `hosts have places of their own`() async throws {
    let client = client(limit)
    let other = Client.stubbed(by: stub, baseURL: "https://other.example:8443") {
      $0.networkMiddleware = [.concurrency(limit)]
    }
    let first = await call(client, limit, [.get("/0")])
    async let second = other.send(Request<Int>.get("/1"))
    await gate.waitForRequests(2)
    #expect(status(1, 0)(limit.status(of: "other.example:8443")))
    gate.respondToAll(with: .json("1"))
    #expect(try await second == 1)
    _ = await first[0].value
  }

  @Test(arguments: Way.allCases, 1...5 as ClosedRange<UInt64>)
  func `at no moment do more run`(way: Way, seed: UInt64) async {
    let generator = SharedGenerator(seed)
    let level = Level()
    stub.stub(
      .get, "/**",
      with: .sample { [clock] _ in
        level.rise()
        defer { level.fall() }
        try await clock.sleep(for: .milliseconds(generator.int(in: 1..<50)))
        if generator.int(in: 0..<10) == 0 { throw URLError(.networkConnectionLost) }
        return .json("1")
      })
    let limit = ConcurrencyLimit(4)
    let client = client(limit, way)
    let callers = (0..<200).map { number in
      let endpoint = Request<Int>.get("/\(number)")
      return client.call(number.isMultiple(of: 3) ? endpoint.prefetch() : endpoint)
    }
    let time = Task { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(5))
        if generator.int(in: 0..<4) == 0 { callers[generator.int(in: 0..<200)].cancel() }
        await Task.yield()
      }
    }
    for caller in callers { _ = await caller.value }
    time.cancel()
    #expect(level.highest == 4)
    await eventually { status(0, 0)(limit.status(of: host)) && clock.sleepers == 0 }
  }
}
