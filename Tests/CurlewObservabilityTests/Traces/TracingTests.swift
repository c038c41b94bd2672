import Curlew
import CurlewObservability
import CurlewTesting
import InMemoryTracing
import Testing
import Tracing

@Suite("Calls and requests are spans", .timeLimit(.minutes(1)))
struct TracingTests {
  private let stub = StubTransport()
  private let tracer = TestTracer()

  private func client() -> Client { .stubbed(by: stub) { $0.observers = [.tracing(tracer)] } }

  private func sent() -> [String?] { stub.requests.map { $0.head.headerFields[.traceparent] } }

  @Test func `A call is a child of the current span`() async throws {
    stub.stub(.get, "/item", with: .item)
    let parent = tracer.startSpan("work")
    _ = try await ServiceContext.withValue(parent.context) { try await client().send(.item) }
    parent.end()
    let call = tracer.calls[0]
    #expect(call.parentSpanID == parent.base.spanID)
    #expect(tracer.attempts[0].traceID == parent.base.traceID)
  }

  @Test func `Without a tracer a request gets no context`() async throws {
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
