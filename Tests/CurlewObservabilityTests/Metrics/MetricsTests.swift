import CoreMetrics
import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import MetricsTestKit
import TestSupport
import Testing

extension Client {
  /// Returns a client of a stub that records metrics of its requests.
  static func measured(
    by metrics: TestMetrics, _ stub: StubTransport, baseURL: BaseURL = "https://api.example.com",
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .stubbed(by: stub, baseURL: baseURL) {
      $0.observers = [.metrics(factory: metrics)]
      configure(&$0)
    }
  }
}

@Suite("Each request on the wire is measured", .timeLimit(.minutes(1)))
struct MetricsTests {
  private static let duration = "http.client.request.duration"
  private static let active = "http.client.active_requests"
  private static let requestSize = "http.client.request.body.size"
  private static let responseSize = "http.client.response.body.size"
  private static let retries = "curlew.client.retries"

  private let clock = TestClock()
  private let stub: StubTransport
  private let metrics = TestMetrics()

  init() { stub = StubTransport(clock: clock) }

  private func client(
    baseURL: BaseURL = "https://api.example.com",
    configure: (inout Client.Configuration) -> Void = { _ in }
  ) -> Client {
    .measured(by: metrics, stub, baseURL: baseURL, configure: configure)
  }

  private func request(_ method: String = "GET") -> [(String, String)] {
    [
      ("http.request.method", method), ("server.address", "api.example.com"),
      ("server.port", "443"),
    ]
  }

  private func attempt(
    _ status: String, error: String = "", version: String = "", method: String = "GET"
  ) -> [(String, String)] {
    request(method) + [
      ("http.response.status_code", status), ("error.type", error),
      ("network.protocol.version", version),
    ]
  }

  private func values(
    _ label: String, _ dimensions: [(String, String)]
  ) throws -> [Double] {
    try metrics.expectRecorder(label, dimensions).values
  }

  private func expectNothingIsActive(sourceLocation: SourceLocation = #_sourceLocation) {
    for meter in metrics.meters { #expect(meter.lastValue == 0, sourceLocation: sourceLocation) }
  }

  @Test func `success has exact values`() async throws {
    let gate = stub.hold(.post, "/item")
    async let item = client().send(Request<Item>.post("/item", body: .json("abc")))
    await gate.waitForRequests(1)
    let meter = try metrics.expectMeter(Self.active, request("POST"))
    #expect(meter.lastValue == 1)
    clock.advance(by: .milliseconds(250))
    gate.respond(
      with: .responding { _ in
        var response = IncomingResponse(
          head: HTTPResponse(status: .ok), body: ResponseBody(Data(#"{"name": "a"}"#.utf8)))
        response.httpVersion = "2"
        return response
      })
    _ = try await item

    let attempt = attempt("200", version: "2", method: "POST")
    #expect(try values(Self.duration, attempt) == [0.25])
    #expect(try values(Self.requestSize, attempt) == [5])
    #expect(try values(Self.responseSize, attempt) == [13])
    #expect(meter.lastValue == 0)
    #expect(metrics.recorders.count == 3 && metrics.meters.count == 1)
    #expect(metrics.counters.isEmpty && metrics.timers.isEmpty)
    #expect(metrics.recorders.allSatisfy { $0.aggregate })
  }

  @Test func `retries are measured one by one`() async throws {
    let gate = stub.hold(.get, "/item")
    let client = client { $0.middleware = [.retryingAtOnce()] }
    async let item = client.send(.item)
    await gate.waitForRequests(1)
    clock.advance(by: .seconds(1))
    gate.respond(with: .status(.serviceUnavailable))
    await gate.waitForRequests(2)
    clock.advance(by: .seconds(2))
    gate.respond(with: .failure(Client.TransportFailure(.lost, reason: "cut")))
    await gate.waitForRequests(3)
    clock.advance(by: .seconds(3))
    gate.respond(with: .item)
    _ = try await item

    #expect(try values(Self.duration, attempt("503", error: "503")) == [1])
    #expect(try values(Self.duration, attempt("", error: "connection_lost")) == [2])
    #expect(try values(Self.duration, attempt("200")) == [3])
    // Without a body, no size is recorded.
    #expect(try values(Self.responseSize, attempt("", error: "connection_lost")) == [])
    for error in ["503", "connection_lost"] {
      let counter = try metrics.expectCounter(Self.retries, request() + [("error.type", error)])
      #expect(counter.totalValue == 1)
    }
    expectNothingIsActive()
  }

  @Test func `redirects are measured one by one`() async throws {
    stub.stub(
      .get, "/item", with: .status(.found, [.location: "http://api.example.com:8080/other"]))
    stub.stub(.get, "/other", with: .item)
    let client = client(baseURL: "http://api.example.com")
    _ = try await client.send(.item)
    func durations(_ port: String) -> Int {
      metrics.recorders(label: Self.duration, dimensions: [("server.port", port)]).count
    }
    #expect(durations("80") == 1 && durations("8080") == 1)
    #expect(metrics.counters.isEmpty)
    expectNothingIsActive()
  }

  @Test func `status that is accepted is no error`() async throws {
    struct Lookup: Endpoint {
      var request: Request<Item> { .get("/item").accepting([404]) }
    }
    stub.stub(.get, "/item", with: .json(#"{"name": "a"}"#, status: .notFound))
    _ = try await client().send(Lookup())
    #expect(try values(Self.duration, attempt("404")) == [0])
    _ = await client().result(of: .item)
    #expect(try values(Self.duration, attempt("404", error: "404")) == [0])
  }

  /// The request got a response; the decoding error belongs to the call.
  @Test func `error of decoding is none of the request`() async throws {
    stub.stub(.get, "/item", with: .json("[]"))
    _ = await client().result(of: .item)
    #expect(try values(Self.duration, attempt("200")) == [0])
  }

  @Test func `coalesced calls are one measurement`() async throws {
    try await stub.respondOnceToTwo { waits in
      client {
        $0.middleware = [.coalescing]
        $0.observers.append(waits)
      }
    }
    #expect(try values(Self.duration, attempt("200")) == [0])
  }

  @Test func `cancelled request is measured`() async throws {
    await stub.cancel(client())
    #expect(try values(Self.duration, attempt("", error: "cancelled")) == [0])
    expectNothingIsActive()
  }

  @Test func `stream is active until it has been read`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    do {
      let response = try await client().stream(.get("/stream"))
      #expect(metrics.meters.first?.lastValue == 1)
      clock.advance(by: .seconds(60))
      for try await _ in response {}
    }
    #expect(try values(Self.duration, attempt("200")) == [60])
    #expect(try values(Self.responseSize, attempt("200")) == [3])
    expectNothingIsActive()
    _ = try await client().stream(.get("/stream"))
    // The size of a released, partial body is not recorded.
    #expect(try values(Self.responseSize, attempt("200")) == [3])
    #expect(try values(Self.duration, attempt("200")).count == 2)
    expectNothingIsActive()
  }

  @Test func `nothing is active after a storm`() async throws {
    stub.stub(
      .get, "/item",
      with: .sample { request in
        for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
        try Task.checkCancellation()
        return Bool.random() ? .json(#"{"name": "a"}"#) : Sample(status: .serviceUnavailable)
      })
    let client = client { $0.middleware = [.retryingAtOnce(attempts: 4)] }
    await withTaskGroup { group in
      for number in 0..<300 {
        group.addTask {
          let task = Task { await client.result(of: .item) }
          if number.isMultiple(of: 3) {
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            task.cancel()
          }
          _ = await task.value
        }
      }
    }
    // A cancelled transfer may end shortly after its call.
    await eventually { metrics.meters.allSatisfy { $0.lastValue == 0 } }
    let measured = metrics.recorders(label: Self.duration).reduce(0) { $0 + $1.values.count }
    #expect(measured >= stub.requests.count)
  }

  @Test func `factory that records nothing makes no metrics`() async throws {
    stub.stub(.get, "/item", with: .item)
    // The system's factory, which is not bootstrapped.
    let client = Client.stubbed(by: stub) { $0.observers = [.metrics()] }
    _ = try await client.send(.item)
    // The system may be bootstrapped later.
    try await withMetricsFactory(metrics) { _ = try await client.send(.item) }
    #expect(try values(Self.duration, attempt("200")) == [0])
  }
}
