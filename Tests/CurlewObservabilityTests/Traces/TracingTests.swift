import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryTracing
import TestSupport
import Testing
import Tracing

@Suite("Calls and requests are spans", .timeLimit(.minutes(1)))
struct TracingTests {
  private let clock = TestClock()
  private let stub: StubTransport
  private let tracer = TestTracer()

  init() { stub = StubTransport(clock: clock) }

  private func client(configure: (inout Client.Configuration) -> Void = { _ in }) -> Client {
    .stubbed(by: stub) {
      $0.observers = [.tracing(tracer)]
      configure(&$0)
    }
  }

  private func sent() -> [String?] { stub.requests.map { $0.head.headerFields[.traceparent] } }

  @Test func `success is a call with a request`() async throws {
    stub.stub(
      .get, "/item",
      with: .responding { _ in
        var response = IncomingResponse(
          head: HTTPResponse(status: .ok), body: ResponseBody(Data(#"{"name": "a"}"#.utf8)))
        response.httpVersion = "1.1"
        return response
      })
    _ = try await Initiator.$current.withValue(Initiator("import")) {
      try await client().send(Request<Item>.get("/item", query: ["api_key": "hunter2"]))
    }
    let (call, attempt) = (tracer.calls[0], tracer.attempts[0])
    #expect(tracer.spans.count == 2)
    #expect(call.operationName == "GET" && attempt.operationName == "GET")
    #expect(call.parentSpanID == nil && attempt.parentSpanID == call.spanID)
    #expect(call.status == nil && attempt.status == nil)
    #expect(call.events.isEmpty && call.errors.isEmpty && attempt.errors.isEmpty)
    let request: SpanAttributes = [
      "http.request.method": "GET", "url.full": "https://api.example.com/item?api_key=***",
      "server.address": "api.example.com", "server.port": 443, "http.response.status_code": 200,
    ]
    var expected = request
    expected["network.protocol.version"] = "1.1"
    #expect(attempt.attributes == expected)
    expected = request
    expected["curlew.call"] = call.attributes["curlew.call"]
    expected["curlew.initiator"] = "import"
    expected["curlew.bytes"] = 13
    #expect(call.attributes == expected)
    #expect(call.attributes["curlew.call"] != nil)
    #expect(sent() == ["00-\(attempt.traceID)-\(attempt.spanID)-01"])
    tracer.expectAllEnded()
  }

  @Test func `call is a child of the current span`() async throws {
    stub.stub(.get, "/item", with: .item)
    let parent = tracer.startSpan("work")
    _ = try await ServiceContext.withValue(parent.context) { try await client().send(.item) }
    parent.end()
    let call = tracer.calls[0]
    #expect(call.parentSpanID == parent.base.spanID)
    #expect(tracer.attempts[0].traceID == parent.base.traceID)
  }

  @Test func `retries are children of one call`() async throws {
    stub.stub(
      .get, "/item", with: .status(.serviceUnavailable),
      .failure(Client.TransportFailure(.lost, reason: "cut")), .item)
    _ = try await client { $0.middleware = [.retryingAtOnce()] }.send(.item)
    let (call, attempts) = (tracer.calls[0], tracer.attempts)
    #expect(attempts.map(\.parentSpanID) == Array(repeating: call.spanID, count: 3))
    let resends = attempts.map { $0.attributes.get("http.request.resend_count") }
    #expect(resends == [nil, 1, 2])
    #expect(attempts.map { $0.attributes.get("error.type") } == ["503", "connection_lost", nil])
    #expect(attempts.map { $0.status?.code } == [.error, .error, nil])
    #expect(attempts.map(\.errors.count) == [0, 1, 0])
    #expect(sent() == attempts.map { "00-\(call.traceID)-\($0.spanID)-01" })
    #expect(call.events.map(\.name) == ["retry", "resumed", "retry", "resumed"])
    #expect(
      call.events[0].attributes == ["curlew.delay": .double(0), "error.type": "503"])
    #expect(call.attributes.get("curlew.retries") == 2)
    #expect(call.status == nil)
    tracer.expectAllEnded()
  }

  @Test func `redirects are children of one call`() async throws {
    stub.stub(.get, "/item", with: .status(.found, [.location: "/other"]))
    stub.stub(.get, "/other", with: .item)
    _ = try await client().send(.item)
    let attempts = tracer.attempts
    #expect(attempts.map { $0.attributes.get("http.response.status_code") } == [302, 200])
    #expect(attempts.map { $0.attributes.get("http.request.resend_count") } == [nil, 1])
    #expect(attempts.last?.attributes.get("url.full") == "https://api.example.com/other")
    #expect(attempts.allSatisfy { $0.status == nil })
    #expect(tracer.calls[0].attributes.get("url.full") == "https://api.example.com/item")
    #expect(Set(sent()).count == 2)
  }

  @Test(arguments: [
    (StubResponse.status(.notFound), "404", SpanStatus.Code?.some(.error)),
    (.json("[]"), "decoding", nil),
    (.failure(Client.TransportFailure(.refused, reason: "no one")), "connection_refused", .error),
  ])
  func `error is the status of the call`(
    response: StubResponse, type: String, ofAttempt: SpanStatus.Code?
  ) async throws {
    stub.stub(.get, "/item", with: response)
    let error = try #require(await client().result(of: .item).failure)
    let call = tracer.calls[0]
    #expect(call.status?.code == .error)
    #expect(call.status?.message == (error.status == nil ? error.description : nil))
    #expect(call.attributes.get("error.type") == .string(type))
    #expect(call.errors.count == 1 && "\(call.errors[0].error)" == error.description)
    #expect(tracer.attempts[0].status?.code == ofAttempt)
    tracer.expectAllEnded()
  }

  @Test func `request that cannot be sent is a call only`() async {
    _ = await client().result(of: Request<Item>.get("/\("..")"))
    #expect(tracer.spans.map(\.kind) == [.internal])
    #expect(tracer.spans[0].attributes.get("error.type") == "invalid_request")
    tracer.expectAllEnded()
  }

  @Test func `cancelled call ends both spans`() async throws {
    await stub.cancel(client())
    #expect(tracer.spans.map { $0.attributes.get("error.type") } == ["cancelled", "cancelled"])
    #expect(tracer.spans.allSatisfy { $0.status == SpanStatus(code: .error) && $0.errors.isEmpty })
    tracer.expectAllEnded()
  }

  @Test func `coalesced call is linked to the other`() async throws {
    try await stub.respondOnceToTwo { waits in
      client {
        $0.middleware = [.coalescing]
        $0.observers.append(waits)
      }
    }
    #expect(tracer.attempts.count == 1)
    let leader = try #require(tracer.calls.first { $0.spanID == tracer.attempts[0].parentSpanID })
    let other = try #require(tracer.calls.first { $0.spanID != leader.spanID })
    #expect(other.links.map { $0.context.inMemorySpanContext } == [leader.spanContext])
    #expect(other.attributes.get("curlew.coalesced") == true)
    #expect(other.events.map(\.name) == ["coalesced", "resumed"])
    #expect(
      other.events[0].attributes.get("curlew.call") == leader.attributes.get("curlew.call"))
    #expect(leader.links.isEmpty)
    tracer.expectAllEnded()
  }

  @Test func `wait for a rate limit is an event`() async throws {
    stub.stub(
      .get, "/item",
      with: .sample(
        Sample(
          status: .tooManyRequests, headerFields: [.retryAfter: "2"], body: Data())), .item)
    let client = client { $0.networkMiddleware = [.rateBudget()] }
    _ = await client.result(of: .item)
    async let item = client.send(.item)
    await eventually { !tracer.base.activeSpans.flatMap(\.events).isEmpty }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(5))
    _ = try await item
    let call = try #require(tracer.calls.last)
    #expect(call.events.map(\.name) == ["wait for rate limit", "resumed"])
    guard case .double(let delay) = call.events[0].attributes.get("curlew.delay") else {
      Issue.record("No delay")
      return
    }
    #expect(delay > 0 && delay <= 5)
    guard case .double(let waited) = call.attributes.get("curlew.waited") else {
      Issue.record("Not waited")
      return
    }
    #expect(waited > 0 && waited <= 5)
  }

  @Test func `refresh of a token is one more request`() async throws {
    stub.stub(.get, "/item", with: .status(.unauthorized), .item)
    stub.stub(.post, "/token", with: .json("4711"))
    let auth = Client(baseURL: "https://auth.example.com") {
      ($0.transport, $0.clock) = (stub, clock)
    }
    let client = client {
      $0.middleware = [
        .bearer(BearerToken(access: Sensitive("old"))) { _ in
          BearerToken(access: Sensitive("\(try await auth.send(Request<Int>.post("/token")))"))
        }
      ]
    }
    _ = try await client.send(.item)
    let (call, attempts) = (tracer.calls[0], tracer.attempts)
    #expect(attempts.map { $0.attributes.get("http.response.status_code") } == [401, 200])
    #expect(attempts.map(\.parentSpanID) == [call.spanID, call.spanID])
    #expect(call.events.map(\.name) == ["wait for token", "resumed"])
    #expect(call.status == nil)
    tracer.expectAllEnded()
  }

  @Test func `unknown method is no name of a span`() async throws {
    let method = try #require(HTTPRequest.Method("BREW"))
    stub.stub(method, "/item", with: .item)
    _ = try await client().send(Request<Item>(method, "/item", decoding: .json))
    for span in tracer.spans {
      #expect(span.operationName == "HTTP")
      #expect(span.attributes.get("http.request.method") == "_OTHER")
      #expect(span.attributes.get("http.request.method_original") == "BREW")
    }
  }

  @Test func `nothing is written without a tracer`() async throws {
    stub.stub(.get, "/item", with: .item)
    let client = Client.stubbed(by: stub) { $0.observers = [.tracing(), .tracing(NoOpTracer())] }
    _ = try await client.send(.item)
    #expect(sent() == [nil])
    // A task-local tracer is found when the call begins.
    _ = try await withTracer(tracer) { try await client.send(.item) }
    #expect(tracer.spans.count == 2)
    #expect(sent().count == 2 && sent()[1] != nil)
  }
}
