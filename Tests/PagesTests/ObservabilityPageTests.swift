import CoreMetrics
import Curlew
import CurlewObservability
import CurlewRecording
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import Synchronization
import TestSupport
import Testing
import Tracing

nonisolated final class TrafficByScreen: RequestObserver {
  let bytes = Mutex<[Initiator?: Int]>([:])

  func observe(_ event: RequestEvent) {
    guard case .bytes(let count) = event.stage else { return }
    bytes.withLock { $0[event.initiator, default: 0] += count }
  }

  func headerFields(for event: RequestEvent) -> [HTTPField] {
    [HTTPField(name: .requestID, value: "\(event.call)-\(event.attempt ?? 0)")]
  }
}

nonisolated extension HTTPField.Name {
  fileprivate static let requestID = HTTPField.Name("X-Request-ID")!
}

/// The code of `CurlewObservability.md` for logs, metrics and traces.
@Suite(.timeLimit(.minutes(1)))
struct ObservabilityPageTests {
  private let transport = StubTransport()

  init() { transport.stub(.get, "/repositories", with: .json("[1]")) }

  private static let repositories = Request<[Int]>.get("/repositories")

  @Test func `events are told`() async throws {
    let events = EventLog()
    // The page's code, with events that the test checks.
    @Sendable nonisolated func print(_ event: RequestEvent) { events.observe(event) }
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.calling { event in print(event) }]
    }
    _ = try await github.send(Self.repositories)
    #expect(events.stages().first == "began" && events.stages().last == "finished")
  }

  @Test func `an observer of your own counts and adds fields`() async throws {
    let traffic = TrafficByScreen()
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [traffic]
    }
    try await Initiator.$current.withValue(Initiator("a screen")) {
      _ = try await github.send(Self.repositories)
    }
    #expect(traffic.bytes.withLock { $0 } == [Initiator("a screen"): 3])
    let sent = transport.requests.first?.head.headerFields[.requestID]
    #expect(sent?.hasSuffix("-1") == true)
  }

  @Test func `a request is a command`() throws {
    let github = Client(baseURL: "https://api.github.com")
    let command = try github.curl(for: Self.repositories)
    let page = try DocumentationTests.page("CurlewObservability.md")
    #expect(page.contains("```\n\(command)\n```"))
  }

  @Test func `recordings are replayed`() async throws {
    let file = URL.temporaryDirectory.appending(path: "\(UUID()).har")
    defer { try? FileManager.default.removeItem(at: file) }
    let recorder = HARRecorder()
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.networkMiddleware = [.cookies(), .recording(recorder)]
    }
    _ = try await github.send(Self.repositories)
    try recorder.write(to: file)
    let recording = try HAR(contentsOf: file)
    let replayed = Client(baseURL: "https://api.github.com") { $0.transport = .har(recording) }
    #expect(try await replayed.send(Self.repositories) == [1])
  }

  @Test func `drift is reported`() {
    func recording(_ body: String) -> HAR {
      HAR(entries: [HAR.Entry(.get, "https://a.example/x", response: .json(body))])
    }
    let (old, new) = (recording(#"{"a": 1}"#), recording(#"{"a": null}"#))
    var lines: [String] = []
    func print(_ change: DriftReport.Change) { lines.append("\(change)") }
    let report = DriftReport(from: old, to: new)
    for change in report.changes { print(change) }
    #expect(lines.count == 1)
  }

  @Test func `calls are logged`() async throws {
    let handler = InMemoryLogHandler()
    let logger = Logger(label: "test") { _ in handler }
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.logging(logger), .metrics(), .tracing()]
    }
    try await Initiator.$current.withValue(Initiator("nightly import")) {
      _ = try await github.send(Self.repositories)
    }
    #expect(
      handler.entries.first?.message.description.hasPrefix(
        "GET https://api.github.com/repositories 200 in") == true)
    #expect(handler.entries.first?.metadata["curlew.initiator"] == "nightly import")
  }

  @Test func `requests are measured`() async throws {
    let factory = TestMetrics()
    let github = Client(baseURL: "https://api.github.com") {
      $0.transport = transport
      $0.observers = [.metrics(factory: factory)]
    }
    _ = try await github.send(Self.repositories)
    #expect(factory.recorders(label: "http.client.request.duration").count == 1)
  }

  @Test func `names can be mapped`() async throws {
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

  @Test func `calls are traced`() async throws {
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
