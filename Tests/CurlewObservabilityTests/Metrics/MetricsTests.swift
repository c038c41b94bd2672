import CoreMetrics
import Curlew
import CurlewObservability
import CurlewTesting
import MetricsTestKit
import TestSupport
import Testing

@Suite("Each request on the wire is measured", .timeLimit(.minutes(1)))
struct MetricsTests {
  private static let duration = "http.client.request.duration"

  private let stub = StubTransport(clock: TestClock())
  private let metrics = TestMetrics()

  @Test func `No request is active after a storm`() async throws {
    stub.stub(
      .get, "/item",
      with: .sample { request in
        for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
        try Task.checkCancellation()
        return Bool.random() ? .json(#"{"name": "a"}"#) : Sample(status: .serviceUnavailable)
      })
    let client = Client.measured(by: metrics, stub) {
      $0.middleware = [.retryingAtOnce(attempts: 4)]
    }
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

  @Test func `A program that bootstraps metrics later is measured from then on`() async throws {
    stub.stub(.get, "/item", with: .item)
    // The system's factory, which is not bootstrapped.
    let client = Client.stubbed(by: stub) { $0.observers = [.metrics()] }
    _ = try await client.send(.item)
    // The system may be bootstrapped later.
    try await withMetricsFactory(metrics) { _ = try await client.send(.item) }
    #expect(metrics.recorders(label: Self.duration).map(\.values) == [[0]])
  }
}
