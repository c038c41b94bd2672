import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryTracing
import Testing
import Tracing

@Suite("Spans of streams end with their bodies", .timeLimit(.minutes(1)))
struct TracingStreamTests {
  private let stub = StubTransport()
  private let tracer = TestTracer()

  private func client() -> Client {
    .stubbed(by: stub) { $0.observers = [.tracing(tracer)] }
  }

  @Test func `stream ends when it is read`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    do {
      let response = try await client().stream(.get("/stream"))
      #expect(tracer.spans.isEmpty)
      for try await _ in response {}
    }
    #expect(tracer.spans.map(\.kind) == [.client, .internal])
    #expect(tracer.calls[0].attributes.get("curlew.bytes") == 3)
    tracer.expectAllEnded()
  }

  @Test func `stream that is released ends both spans`() async throws {
    stub.stub(.get, "/stream", with: .pieces("ab", "c"))
    do {
      let response = try await client().stream(.get("/stream"))
      var chunks = response.makeAsyncIterator()
      _ = try await chunks.next()
      #expect(tracer.spans.isEmpty)
    }
    #expect(tracer.spans.count == 2)
    #expect(tracer.spans.allSatisfy { $0.status == nil })
    tracer.expectAllEnded()
  }

  @Test func `download is a call with a request`() async throws {
    stub.stub(.get, "/map", with: .data(Data("abcd".utf8)))
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await client().download(.get("/map"), to: file)
    #expect(tracer.calls.count == 1 && tracer.attempts.count == 1)
    #expect(stub.requests.map { $0.head.headerFields[.traceparent] != nil } == [true])
    tracer.expectAllEnded()
  }
}
