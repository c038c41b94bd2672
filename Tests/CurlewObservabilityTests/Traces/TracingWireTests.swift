import CoreMetrics
import Curlew
import CurlewAsyncHTTPClient
import CurlewFaultServer
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryTracing
import MetricsTestKit
import Testing
import Tracing

@Suite("Requests on the wire have the context of their span", .timeLimit(.minutes(1)))
struct TracingWireTests {
  /// Sends a plain request, a retried request and a redirected request: five network requests.
  private static func sendAll(
    to server: FaultServer, _ observers: [any RequestObserver]
  ) async throws {
    server.stub(.get, "/plain", with: .item)
    server.stub(.get, "/retried", with: .status(.serviceUnavailable), .item)
    server.stub(.get, "/from", with: .status(.found, [.location: "/to"]))
    server.stub(.get, "/to", with: .item)
    let client = Client(baseURL: server.baseURL) {
      $0.transport = .asyncHTTPClient
      $0.middleware = [.retryingAtOnce()]
      $0.observers = observers
    }
    for path: Path in ["/plain", "/retried", "/from"] {
      _ = try await client.send(Request<Item>.get(path))
    }
  }

  private static let paths = ["/plain", "/retried", "/retried", "/from", "/to"]

  @Test func `every request has the context of its own span`() async throws {
    try await withFaultServer { server in
      let tracer = TestTracer()
      let parent = tracer.startSpan("work")
      try await ServiceContext.withValue(parent.context) {
        try await Self.sendAll(to: server, [.tracing(tracer)])
      }
      let attempts = tracer.attempts
      #expect(server.requests.map(\.path) == Self.paths)
      #expect(
        server.requests.map { $0.values(of: "traceparent") }
          == attempts.map { ["00-\(parent.base.traceID)-\($0.spanID)-01"] })
      #expect(Set(attempts.map(\.spanID)).count == 5)
      #expect(attempts.allSatisfy { $0.attributes.get("network.protocol.version") == "1.1" })
      #expect(
        attempts.allSatisfy { $0.attributes.get("server.port") == .int64(Int64(server.port)) })
      #expect(tracer.calls.map(\.parentSpanID) == Array(repeating: parent.base.spanID, count: 3))
    }
  }

  /// In a separate process, because systems can be bootstrapped only once in a process.
  @Test func `bootstrapped systems are used`() async {
    await #expect(processExitsWith: .success) {
      let (tracer, metrics) = (TestTracer(), TestMetrics())
      try await withFaultServer { server in
        // The observers exist before the systems are bootstrapped.
        let observers: [any RequestObserver] = [.tracing(), .metrics()]
        InstrumentationSystem.bootstrap(tracer)
        MetricsSystem.bootstrap(metrics)
        try await TracingWireTests.sendAll(to: server, observers)
        let fields = server.requests.map { $0.values(of: "traceparent") }
        try #require(
          fields == tracer.attempts.map { ["00-\($0.traceID)-\($0.spanID)-01"] })
        try #require(tracer.calls.count == 3 && tracer.attempts.count == 5)
        let durations = metrics.recorders(label: "http.client.request.duration")
        try #require(durations.reduce(0) { $0 + $1.values.count } == 5)
      }
    }
  }

  /// An instrument that propagates a context, and records no spans.
  struct Propagation: Instrument {
    struct Key: InstrumentationContextKey {
      typealias Value = String
    }

    func inject<Carrier, Inject: Injector>(
      _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
      injector.inject(context[Key.self] ?? "none", forKey: "baggage", into: &carrier)
      injector.inject("bad", forKey: "no field name", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(
      _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}
  }

  @Test func `context is passed on without a tracer`() async {
    await #expect(processExitsWith: .success) {
      try await withFaultServer { server in
        InstrumentationSystem.bootstrap(Propagation())
        var context = ServiceContext.topLevel
        context[Propagation.Key.self] = "tenant=7"
        try await ServiceContext.withValue(context) {
          try await TracingWireTests.sendAll(to: server, [.tracing()])
        }
        let fields = server.requests.map { $0.values(of: "baggage") }
        try #require(fields == Array(repeating: ["tenant=7"], count: 5))
      }
    }
  }
}
