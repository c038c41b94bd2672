import Curlew
import CurlewObservability
import CurlewTesting
import Foundation
import HTTPTypes
import InMemoryTracing
import TestSupport
import Testing
import Tracing

@Suite("Spans of many calls are not mixed up", .timeLimit(.minutes(1)))
struct TracingStormTests {
  private let stub = StubTransport()
  private let tracer = TestTracer()

  private func client(_ middleware: [any Middleware]) -> Client {
    .stubbed(by: stub) {
      $0.middleware = middleware
      $0.observers = [.tracing(tracer)]
    }
  }

  @Test func `fifty calls with retries have their own requests`() async throws {
    for number in 0..<50 {
      let failures = Array(repeating: StubResponse.status(.serviceUnavailable), count: number % 4)
      let path: Path = "/\(number)"
      // All responses but the last, which repeats.
      let all = failures + [.item]
      let responses = Responses(all)
      stub.stub(.get, path, with: .sample { _ in await responses.next() })
    }
    let client = client([.retryingAtOnce(attempts: 4)])
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { _ = await client.result(of: Request<Item>.get("/\(number)")) }
      }
    }
    let calls = tracer.calls
    #expect(calls.count == 50)
    #expect(Set(calls.map(\.traceID)).count == 50)
    for call in calls {
      let attempts = tracer.attempts.filter { $0.parentSpanID == call.spanID }
      let url = call.attributes.get("url.full")
      let number = try #require(
        url.flatMap { "\($0)".split(separator: "/").last }.flatMap {
          Int($0.filter(\.isNumber))
        })
      #expect(attempts.count == number % 4 + 1)
      #expect(attempts.allSatisfy { $0.attributes.get("url.full") == url })
      #expect(attempts.allSatisfy { $0.traceID == call.traceID })
      let fields = stub.requests.filter { "\($0.head.path ?? "")" == "/\(number)" }
        .map { $0.head.headerFields[.traceparent] }
      #expect(fields == attempts.map { "00-\($0.traceID)-\($0.spanID)-01" })
    }
    #expect(tracer.attempts.count == stub.requests.count)
    tracer.expectAllEnded()
  }

  /// The responses of one stub, in order.
  private actor Responses {
    private var rest: ArraySlice<StubResponse>

    init(_ responses: [StubResponse]) { rest = responses[...] }

    func next() -> Sample {
      defer { _ = rest.popFirst() }
      return rest.count > 1 ? Sample(status: .serviceUnavailable) : .json(#"{"name": "a"}"#)
    }
  }

  private struct PassengerKey: ServiceContextKey {
    final class Passenger: Sendable {}
    typealias Value = Passenger
  }

  /// An observer releases the state of a call when the call and its requests have ended.
  @Test func `nothing of an ended call is kept`() async throws {
    let observer = TracingObserver.tracing(tracer)
    stub.stub(.get, "/stream", with: .pieces("a", "b"))
    stub.stub(.get, "/item", with: .failure(Client.TransportFailure(.lost, reason: "cut")), .item)
    var passenger: PassengerKey.Passenger? = PassengerKey.Passenger()
    weak let kept = passenger
    do {
      var context = ServiceContext.topLevel
      context[PassengerKey.self] = passenger
      let client = Client.stubbed(by: stub) {
        $0.observers = [observer]
        // A timer's task retains the task-local values of the call that started it.
        $0.limits.connect = nil
        $0.limits.firstByte = nil
        $0.limits.idle = nil
        $0.limits.total = nil
      }
      try await ServiceContext.withValue(context) {
        _ = await client.result(of: .item)
        _ = await client.result(of: .item)
        let stream = try await client.stream(.get("/stream"))
        var chunks = stream.makeAsyncIterator()
        _ = try await chunks.next()
      }
    }
    passenger = nil
    tracer.base.clearAll()
    #expect(kept == nil)
    withExtendedLifetime(observer) {}
  }

  @Test func `every span of a storm ends once`() async throws {
    stub.stub(
      .get, "/**",
      with: .responding { _ in
        for _ in 0..<Int.random(in: 0..<8) { await Task.yield() }
        try Task.checkCancellation()
        let pieces = Bool.random() ? ["{\"name\"", ": \"a\"}"] : ["{", "}"]
        if Int.random(in: 0..<4) == 0 { throw Client.TransportFailure(.lost, reason: "cut") }
        return IncomingResponse(
          head: HTTPResponse(status: Bool.random() ? .ok : .serviceUnavailable),
          body: ResponseBody {
            var rest = pieces[...]
            return {
              await Task.yield()
              return rest.popFirst().map { Data($0.utf8) }
            }
          })
      })
    let client = client([.coalescing, .retryingAtOnce(attempts: 4)])
    await withTaskGroup { group in
      for number in 0..<400 {
        group.addTask {
          let request = Request<Item>.get("/\(number % 40)")
          let task = Task {
            guard number.isMultiple(of: 4) else {
              _ = await client.result(of: request)
              return
            }
            // Released after reading a single chunk.
            let stream = try? await client.stream(request)
            var chunks = stream?.makeAsyncIterator()
            _ = try? await chunks?.next()
          }
          if number.isMultiple(of: 3) {
            for _ in 0..<Int.random(in: 0..<20) { await Task.yield() }
            task.cancel()
          }
          await task.value
        }
      }
    }
    // Cancelled requests may end shortly after their calls.
    await eventually { tracer.base.activeSpans.isEmpty }
    #expect(tracer.calls.count == 400)
    #expect(tracer.attempts.count >= stub.requests.count)
    #expect(tracer.ends.all.values.allSatisfy { $0 == 1 })
    let calls = Set(tracer.calls.map(\.spanID))
    #expect(tracer.attempts.allSatisfy { calls.contains($0.parentSpanID ?? "") })
  }
}
