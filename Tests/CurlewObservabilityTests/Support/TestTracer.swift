import HTTPTypes
import InMemoryTracing
import Synchronization
import Testing
import Tracing

/// A tracer that injects `traceparent` (W3C Trace Context), stores spans in memory, and counts how often they end.
struct TestTracer: Tracer {
  /// The number of times that each span ended, by its ID, and the last ID.
  final class Ends: Sendable {
    private let lastNumber = Atomic<UInt64>(0)
    private let counts = Mutex<[String: Int]>([:])

    var all: [String: Int] { counts.withLock { $0 } }

    @Sendable func nextNumber() -> String {
      let digits = String(lastNumber.wrappingAdd(1, ordering: .relaxed).newValue, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func start(_ id: String) { counts.withLock { $0[id] = 0 } }

    func end(_ id: String) { counts.withLock { $0[id, default: 0] += 1 } }
  }

  /// An in-memory span that counts its ends, because the underlying span ignores repeated ends.
  struct Span: Tracing.Span {
    let base: InMemorySpan
    let ends: Ends

    var context: ServiceContext { base.context }
    var operationName: String {
      get { base.operationName }
      nonmutating set { base.operationName = newValue }
    }
    var attributes: SpanAttributes {
      get { base.attributes }
      nonmutating set { base.attributes = newValue }
    }
    var isRecording: Bool { base.isRecording }

    func setStatus(_ status: SpanStatus) { base.setStatus(status) }

    func addEvent(_ event: SpanEvent) { base.addEvent(event) }

    func addLink(_ link: SpanLink) { base.addLink(link) }

    func recordError<Instant: TracerInstant>(
      _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
      base.recordError(error, attributes: attributes, at: instant())
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
      ends.end(base.spanID)
      base.end(at: instant())
    }
  }

  let base: InMemoryTracer
  let ends = Ends()

  /// IDs as in the standard: 16 and 8 bytes in hexadecimal.
  init() {
    base = InMemoryTracer(
      idGenerator: .init(
        nextTraceID: { [ends] in String(repeating: "a", count: 16) + ends.nextNumber() },
        nextSpanID: ends.nextNumber))
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
    at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
  ) -> Span {
    let span = base.startSpan(
      operationName, context: context(), ofKind: kind, at: instant(), function: function,
      file: fileID, line: line)
    ends.start(span.spanID)
    return Span(base: span, ends: ends)
  }

  func forceFlush() {}

  func inject<Carrier, Inject: Injector>(
    _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let span = context.inMemorySpanContext else { return }
    injector.inject(
      "00-\(span.traceID)-\(span.spanID)-01", forKey: "traceparent", into: &carrier)
  }

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {}
}

extension TestTracer {
  /// Expects that each span has ended exactly once.
  func expectAllEnded(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(base.activeSpans.isEmpty, sourceLocation: sourceLocation)
    #expect(ends.all.values.allSatisfy { $0 == 1 }, sourceLocation: sourceLocation)
  }

  /// The ended spans.
  var spans: [FinishedInMemorySpan] { base.finishedSpans }

  /// The ended spans of calls.
  var calls: [FinishedInMemorySpan] { spans.filter { $0.kind == .internal } }

  /// The ended spans of network requests, in the order in which they began.
  var attempts: [FinishedInMemorySpan] {
    spans.filter { $0.kind == .client }.sorted { $0.spanID < $1.spanID }
  }
}

extension HTTPField.Name {
  static let traceparent = Self("traceparent")!
}
