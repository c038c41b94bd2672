import Curlew
import CurlewTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RequestEventTests {
  private let log = EventLog()
  private var (clock, stub) = stubOnTestClock()

  private func client(
    _ middleware: [any Middleware] = [], network: [any NetworkMiddleware] = []
  ) -> Client {
    .stubbed(by: stub) {
      $0.limits = .endless
      $0.observers = [log]
      $0.middleware = middleware
      $0.networkMiddleware = network
    }
  }

  @Test func `a call goes through its stages in order`() async throws {
    stub.stub(.get, "/x", with: .json("12"))
    _ = try await client().send(Request<Int>.get("/x"))
    #expect(
      log.stages() == [
        "began", "sending", "sent", "head", "bytes", "received", "decoded", "finished",
      ])
    let events = log.events
    #expect(Set(events.map(\.call)).count == 1)
    #expect(events.map(\.attempt) == [nil, 1, 1, 1, 1, 1, nil, nil])
    #expect(events.allSatisfy { $0.method == .get && $0.url == "https://api.example.com/x" })
    let last = try #require(events.last)
    #expect(last.totals.attempts == 1 && last.totals.bytes == 2 && last.totals.status == 200)
    #expect(events[3].response?.headerFields[.contentType] == "application/json")
    log.expectAllEnded()
  }

  @Test func `every call has an identity of its own and a command for curl is none`() async throws {
    stub.stub(.get, "/x", with: .json("12"))
    let (client, request) = (client(), Request<Int>.get("/x"))
    for _ in 1...3 { _ = try await client.send(request) }
    _ = try client.curl(for: request)
    #expect(log.calls.count == 3 && Set(log.calls).count == 3)
  }

  @Test func `attempts and redirects share the call`() async throws {
    stub.stub(.get, "/x", with: .status(.serviceUnavailable), .status(.found, [.location: "/y"]))
    stub.stub(.get, "/y", with: .json("12"))
    var policy = RetryPolicy()
    policy.random = { 1 }
    let client = client([.retrying(policy)])
    let call = Task { try await client.send(Request<Int>.get("/x")) }
    await clock.waitForSleepers()
    await eventually { log.first("retrying") != nil }
    // Exactly the wait: woken tasks read the clock while it is being advanced.
    clock.advance(by: .milliseconds(500))
    _ = try await call.value
    #expect(Set(log.events.map(\.call)).count == 1)
    let sent = log.events.filter { $0.stage.name == "sending" }
    #expect(sent.map(\.attempt) == [1, 2, 3])
    #expect(sent.map(\.url.last) == ["x", "x", "y"])
    let totals = try #require(log.events.last?.totals)
    #expect(totals.attempts == 3 && totals.retries == 1 && totals.status == 200)
    guard case .retrying(let wait, .status(503))? = log.first("retrying")?.stage else {
      throw Missing()
    }
    #expect(wait == .milliseconds(500) && totals.waited == wait)
    log.expectAllEnded()
  }

  @Test func `coalesced calls name the call that they share`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client([.coalescing])
    let request = Request<Int>.get("/x")
    let first = Initiator.$current.withValue(Initiator("first")) { client.call(request) }
    await gate.waitForRequests(1)
    let second = Initiator.$current.withValue(Initiator("second")) { client.call(request) }
    await eventually { log.first("coalesced") != nil }
    gate.respond(with: .json("12"))
    _ = await (first.value, second.value)
    let calls = log.calls
    let wait = log.first("coalesced")
    guard case .coalesced(calls.first?)? = wait?.stage else { throw Missing() }
    #expect(wait?.call == calls.last && wait?.initiator == Initiator("second"))
    #expect(
      log.stages(of: calls.last) == ["began", "coalesced", "resumed", "decoded", "finished"])
    let ends = log.events.filter { $0.stage.name == "finished" }
    #expect(
      Set(ends.map { "\($0.initiator?.description ?? "")\($0.totals.isCoalesced)" })
        == ["firstfalse", "secondtrue"])
    log.expectAllEnded()
  }

  @Test func `a call that takes over sends its own request`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client([.coalescing])
    let first = client.call(Request<Int>.get("/x"))
    await gate.waitForRequests(1)
    let second = client.call(Request<Int>.get("/x"))
    await eventually { log.stages(of: log.calls.last).contains("coalesced") }
    first.cancel()
    #expect(await first.value.failure?.isCancelled == true)
    await gate.waitForRequests(2)
    gate.respondToAll(with: .json("12"))
    #expect(try await second.value.get() == 12)
    #expect(
      log.stages(of: log.calls.last).prefix(4) == ["began", "coalesced", "resumed", "sending"])
    #expect(log.events.last?.totals.isCoalesced == false)
    log.expectAllEnded()
  }

  @Test func `a wait for a rate limit is told`() async throws {
    let fields: HTTPFields = [
      "X-RateLimit-Limit": "1", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1010",
    ]
    stub.stub(.get, "/x", with: .text("1", fields), .json("2"))
    let budget = RateBudget(clock: clock, now: { Date(timeIntervalSince1970: 1000) })
    let client = client(network: [.rateBudget(budget)])
    _ = try await client.send(Request<Int>.get("/x"))
    let second = Task { try await client.send(Request<Int>.get("/x")) }
    await eventually { log.first("waitingForRateLimit") != nil }
    guard case .waitingForRateLimit(let wait?)? = log.first("waitingForRateLimit")?.stage else {
      throw Missing()
    }
    await clock.waitForSleepers()
    clock.advance(by: wait)
    _ = try await second.value
    let stages = log.stages(of: log.calls.last)
    #expect(stages.prefix(4) == ["began", "waitingForRateLimit", "resumed", "sending"])
    #expect(log.events.last?.totals.waited == wait)
    log.expectAllEnded()
  }

  @Test func `a wait in a queue is told`() async throws {
    let client = client(network: [.concurrency(1)])
    let gate = StubGate()
    stub.stub(.get, "/y", with: .held(by: gate), .json("3"))
    let calls = (0..<2).map { _ in Task { try await client.send(Request<Int>.get("/y")) } }
    await eventually { log.first("queued") != nil }
    await gate.waitForRequests(1)
    gate.respond(with: .json("3"))
    for call in calls { _ = try await call.value }
    log.expectAllEnded()
  }

  @Test func `a wait for a token is told`() async throws {
    let tokens = StubTransport(clock: clock)
    tokens.stub(.post, "/token", with: .json("7"))
    stub.stub(.get, "/x", with: .status(.unauthorized), .json("1"))
    let auth = Client(baseURL: "https://auth.example.com") {
      $0.transport = tokens
      $0.limits = .endless
      $0.clock = clock
      $0.observers = [log]
    }
    let client = client([
      .bearer(BearerToken(access: Sensitive("0000"))) { _ in
        BearerToken(access: Sensitive("\(try await auth.send(Request<Int>.post("/token")))"))
      }
    ])
    _ = try await client.send(Request<Int>.get("/x"))
    #expect(
      log.stages().filter { !["bytes", "sent"].contains($0) } == [
        "began", "sending", "head", "received", "waitingForToken", "resumed", "sending", "head",
        "received", "decoded", "finished",
      ])
    #expect(log.calls.count == 2, "the token's request is a call of its own")
    #expect(log.events.last?.totals.attempts == 2 && log.events.last?.totals.retries == 0)
    log.expectAllEnded()
  }

  @Test(arguments: ["status", "decoding", "encoding", "lost"])
  func `a call that fails ends with its error`(kind: String) async throws {
    struct Lost: Error {}
    stub.stub(.get, "/status", with: .status(.notFound))
    stub.stub(.get, "/decoding", with: .json("{}"))
    stub.stub(.get, "/lost", with: .failure(Lost()))
    let request =
      kind == "encoding"
      ? Request<Int>.post("/x", body: .json(Double.nan)) : Request<Int>.get("/\(kind)")
    let error = try #require(await client().result(of: request).failure)
    guard case .failed(let told)? = log.events.last?.stage else { throw Missing() }
    #expect("\(told)" == "\(error)")
    #expect(log.stages().contains("lost") == (kind == "lost"))
    log.expectAllEnded()
  }

  @Test func `a cancelled call ends once`() async throws {
    let gate = stub.hold(.get, "/x")
    let client = client()
    let call = Task { await client.result(of: Request<Int>.get("/x")) }
    await gate.waitForRequests(1)
    call.cancel()
    #expect(await call.value.failure?.isCancelled == true)
    guard case .failed(.cancelled)? = log.events.last?.stage else { throw Missing() }
    log.expectAllEnded()
  }

  struct Missing: Error {}

  @Test func `text is one line whatever an error says`() async {
    struct Odd: Error, CustomStringConvertible { let description = "a\nGET /b\u{1B}[31m" }
    stub.stub(.get, "/x", with: .failure(Odd()))
    _ = await client().result(of: Request<Data>.get("/x"))
    #expect(log.stages().last == "failed")
    for event in log.events {
      #expect(!"\(event)".unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}
