import CoreMetrics
import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Testing
import Tracing

/// What `Documentation/Observability.md` shows of logs, metrics and traces.
@Suite(.timeLimit(.minutes(1)))
struct ObservabilityPageTests {
  private let transport = StubTransport()

  init() { transport.stub(.get, "/repositories", with: .json("[1]")) }

  private static let repositories = Request<[Int]>.get("/repositories")

  @Test func callsAreLogged() async throws {
    let log = LogStore(.info)
    let logger = log.logger
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.logging(logger), .metrics(), .tracing()]
    }
    try await Initiator.$current.withValue(Initiator("nightly import")) {
      _ = try await github.send(Self.repositories)
    }
    #expect(log.messages.first?.hasPrefix("GET https://api.github.com/repositories 200 in") == true)
    #expect(log.lines.first?.text("curlew.initiator") == "nightly import")
  }

  @Test func requestsAreMeasured() async throws {
    let factory = TestMetrics()
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.metrics(factory: factory)]
    }
    _ = try await github.send(Self.repositories)
    #expect(factory.recorders(label: "http.client.request.duration").count == 1)
  }

  @Test func namesCanBeMapped() async throws {
    let factory = TestMetrics()
    let forPrometheus = factory.withLabelAndDimensionsMapping { label, dimensions in
      (
        label.replacing(".", with: "_"),
        dimensions.map { ($0.replacing(".", with: "_"), $1) }
      )
    }
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.metrics(factory: forPrometheus)]
    }
    _ = try await github.send(Self.repositories)
    let meter = factory.meters(label: "http_client_active_requests").first
    #expect(
      meter?.dimensions.map(\.0) == ["http_request_method", "server_address", "server_port"])
  }

  @Test func callsAreTraced() async throws {
    let tracer = InMemoryTracer()
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.tracing(tracer)]
    }
    try await tracer.withSpan("import") { _ in
      _ = try await github.send(Self.repositories)
    }
    let kinds = tracer.finishedSpans.map(\.kind)
    #expect(kinds == [.client, .internal, .internal])
  }
}
