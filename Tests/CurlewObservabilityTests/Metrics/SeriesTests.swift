import CoreMetrics
import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import MetricsTestKit
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

@Suite("A metric has few series", .timeLimit(.minutes(1)))
struct SeriesTests {
  private static let duration = "http.client.request.duration"

  private let stub = StubTransport()
  private let metrics = TestMetrics()

  @Test func `unknown methods are one`() async throws {
    for name in ["PURGE", "BREW"] {
      let method = try #require(HTTPRequest.Method(name))
      stub.stub(method, "/item", with: .item)
      _ = try await Client.measured(by: metrics, stub).send(
        Request<Item>(method, "/item", decoding: .json))
    }
    let durations = metrics.recorders(
      label: Self.duration, dimensions: [("http.request.method", "_OTHER")])
    #expect(durations.count == 1)
    #expect(durations.first?.values.count == 2)
  }

  @Test(arguments: [
    ("http://[::1]:8080", "::1", "8080"), ("https://[2001:db8::7]", "2001:db8::7", "443"),
    ("http://127.0.0.1", "127.0.0.1", "80"), ("https://a.example:8443", "a.example", "8443"),
  ])
  func `server is address and port`(url: String, address: String, port: String) async throws {
    stub.stub(.get, "/item", with: .item)
    _ = try await Client.measured(by: metrics, stub, baseURL: BaseURL(url)).send(.item)
    let dimensions = try #require(metrics.meters.first?.dimensions)
    #expect(dimensions.map(\.1) == ["GET", address, port])
  }

  /// swift-prometheus crashes if the label names of a metric differ.
  @Test func `series of a metric have the same names`() async throws {
    stub.stub(
      .get, "/item", with: .item, .status(.serviceUnavailable), .failure(CancellationError()),
      .status(.found, [.location: "/item"]), .status(.notFound), .item)
    let client = Client.measured(by: metrics, stub) { $0.middleware = [.retryingAtOnce()] }
    for _ in 1...6 { _ = await client.result(of: .item) }
    let series =
      metrics.recorders.map { ($0.label, $0.dimensions.map(\.0)) }
      + metrics.meters.map { ($0.label, $0.dimensions.map(\.0)) }
      + metrics.counters.map { ($0.label, $0.dimensions.map(\.0)) }
    let names = Dictionary(grouping: series, by: \.0).mapValues { Set($0.map(\.1)) }
    #expect(names.count == 5)
    #expect(names.values.allSatisfy { $0.count == 1 })
    #expect(metrics.recorders(label: Self.duration).count >= 5)
  }

  /// A server may redirect to any number of hosts.
  @Test func `number of series is bounded`() async throws {
    struct Anywhere: Transport {
      func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        IncomingResponse(head: HTTPResponse(status: .noContent), body: ResponseBody())
      }
    }
    let client = Client.measured(by: metrics, stub) { $0.transport = Anywhere() }
    for number in 1...2_100 {
      let url = try URLReference("https://host\(number).example/")
      try await client.send(Request<Void>.get(.url(url)))
    }
    #expect(metrics.recorders(label: Self.duration).count == 2_001)
    #expect(metrics.meters.count == 2_001)
    let rest = metrics.recorders(label: Self.duration, dimensions: [("server.address", "_OTHER")])
    #expect(rest.first?.values.count == 100)
    #expect(metrics.meters.allSatisfy { $0.lastValue == 0 })
  }
}
