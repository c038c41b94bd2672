import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import MetricsTestKit
import TestSupport
import Testing

/// What is logged, traced and measured of the same calls.
@Suite("Each call is logged, traced and measured", .timeLimit(.minutes(1)))
struct ObservationTests {
  private let observed = Observed()
  private var stub: StubTransport { observed.stub }
  private var clock: TestClock { observed.clock }

  @Test func `A successful call is a line, two spans and one measurement`() async throws {
    let gate = stub.hold(.post, "/item")
    let client = observed.client(baseURL: "http://api.example.com:8080")
    async let item = Initiator.$current.withValue(Initiator("import")) {
      try await client.send(
        Request<Item>.post(
          "/item", query: ["page": 2, "api_key": "hunter2"], body: .json("abc")))
    }
    await gate.waitForRequests(1)
    #expect(observed.metrics.meters.map(\.lastValue) == [1])
    clock.advance(by: .milliseconds(125))
    gate.respond(
      with: .responding { _ in
        var response = IncomingResponse(
          head: HTTPResponse(status: .ok), body: ResponseBody(Data(#"{"name": "a"}"#.utf8)))
        response.httpVersion = "2"
        return response
      })
    _ = try await item
    observed.expect("A successful call")
    #expect(observed.metrics.recorders.allSatisfy { $0.aggregate })
  }

  @Test(arguments: [
    (StubResponse.status(.notFound), "A status of 404"),
    (.json("[]"), "A damaged body"),
    (.failure(Client.TransportFailure(.refused, reason: "no one")), "A refused connection"),
    (.failure(Client.TransportFailure(.untrusted, reason: "bad")), "An untrusted certificate"),
    (.failure(CancellationError()), "A cancelled call"),
    (.data(Data("<html>".utf8), contentType: "text/html"), "A web page"),
  ])
  func `An error has a level, a type and a status`(response: StubResponse, name: String) async {
    stub.stub(.get, "/item", with: response)
    _ = await observed.client().result(of: .item)
    observed.expect(name)
  }

  @Test func `A server's text stays in its line`() async {
    let text = "no\n2026 INFO all is well\u{1B}[2J\u{2028}."
    stub.stub(.get, "/item", with: .failure(Client.TransportFailure(.lost, reason: text)))
    _ = await observed.client().result(of: .item)
    #expect(observed.log.messages.first?.hasSuffix("no 2026 INFO all is well [2J .") == true)
  }

  @Test func `A request that cannot be sent is a line and a span`() async {
    _ = await observed.client().result(of: Request<Item>.get("/\("..")"))
    observed.expect("A request that cannot be sent")
  }

  @Test func `A cancelled call ends both spans and is measured`() async {
    await stub.cancel(observed.client())
    observed.expect("A cancelled call")
  }

  @Test func `Retries are requests of one call`() async throws {
    let gate = stub.hold(.get, "/item")
    let client = observed.client(.retryingAtOnce())
    async let item = client.send(.item)
    for (count, response) in [
      .status(.serviceUnavailable),
      .failure(Client.TransportFailure(.lost, reason: "cut")), .item,
    ].enumerated() as EnumeratedSequence<[StubResponse]> {
      await gate.waitForRequests(count + 1)
      clock.advance(by: .seconds(count + 1))
      gate.respond(with: response)
    }
    _ = try await item
    observed.expect("Retries")
  }

  @Test func `The wait for a retry is counted`() async throws {
    stub.stub(.get, "/item", with: .status(.serviceUnavailable), .item)
    var policy = RetryPolicy()
    policy.random = { 1 }
    let client = observed.client(.retrying(policy))
    async let item = client.send(.item)
    await eventually { observed.log.lines.count == 1 }
    await clock.waitForSleepers(2)
    clock.advance(by: .milliseconds(500))
    _ = try await item
    observed.expect("A retry with a wait")
  }

  @Test func `Redirects are requests of one call`() async throws {
    stub.stub(.get, "/item", with: .status(.found, [.location: "http://api.example.com:8080/b"]))
    stub.stub(.get, "/b", with: .item)
    _ = try await observed.client(baseURL: "http://api.example.com").send(.item)
    observed.expect("A redirect")
  }

  @Test func `A coalesced call is linked to the other, and not measured`() async throws {
    try await stub.respondOnceToTwo { waits in
      observed.client(.coalescing) { $0.observers.append(waits) }
    }
    observed.expect("A coalesced call")
  }

  @Test func `A stream ends when it is read`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    do {
      let response = try await observed.client().stream(.get("/stream"))
      #expect(observed.tracer.spans.isEmpty)
      #expect(observed.metrics.meters.map(\.lastValue) == [1])
      clock.advance(by: .seconds(60))
      for try await _ in response {}
    }
    observed.expect("A stream")
  }

  @Test(arguments: [
    (false, "A stream that is not read"),
    (true, "A stream that is partly read"),
  ])
  func `A stream that is released ends without a size`(isBegun: Bool, name: String) async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    do {
      var chunks = try await observed.client().stream(.get("/stream")).makeAsyncIterator()
      if isBegun { _ = try await chunks.next() }
    }
    observed.expect(name)
  }

  @Test func `A download is a call with a request`() async throws {
    stub.stub(.get, "/map", with: .data(Data("abcd".utf8)))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await observed.client().download(.get("/map"), to: file)
    observed.expect("A download")
  }

  @Test func `The wait for a token is an event, its refresh another request`() async throws {
    let gate = stub.hold(.post, "/token")
    stub.stub(.get, "/item", with: .status(.unauthorized), .item)
    let auth = Client(baseURL: "https://auth.example.com") {
      ($0.transport, $0.clock) = (stub, clock)
    }
    let client = observed.client(
      .bearer(BearerToken(access: Sensitive("old"))) { _ in
        BearerToken(access: Sensitive("\(try await auth.send(Request<Int>.post("/token")))"))
      })
    async let item = client.send(.item)
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(2))
    gate.respond(with: .json("4711"))
    _ = try await item
    observed.expect("A wait for a token")
  }

  @Test func `The wait for a rate limit is an event`() async throws {
    let reset = Sample(status: .tooManyRequests, headerFields: [.retryAfter: "2"], body: Data())
    stub.stub(.get, "/item", with: .sample(reset), .item)
    let budget = RateBudget(now: { [clock] in
      Date(timeIntervalSince1970: 1_800_000_000 + clock.now.offset / .seconds(1))
    })
    let client = observed.client { $0.networkMiddleware = [.rateBudget(budget)] }
    _ = await client.result(of: .item)
    async let item = client.send(.item)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    _ = try await item
    observed.expect("A wait for a rate limit")
  }

  @Test func `An unknown method is no name of a span or a series`() async throws {
    let method = try #require(HTTPRequest.Method("BREW"))
    stub.stub(method, "/item", with: .item)
    _ = try await observed.client().send(Request<Item>(method, "/item", decoding: .json))
    observed.expect("An unknown method")
  }

  @Test func `An accepted status is no error`() async throws {
    stub.stub(.get, "/item", with: .json(#"{"name": "a"}"#, status: .notFound))
    _ = try await observed.client().send(Request<Item>.get("/item").accepting([404]))
    observed.expect("An accepted status")
  }
}
