import Curlew
import HTTPTypes
import Synchronization
import Tracing

/// A span that is open, and what writes its context into requests.
struct OpenSpan: Sendable {
  /// What makes spans, and what writes contexts: often the same.
  struct Backend: Sendable {
    let tracer: any Tracer
    let instrument: any Instrument

    /// - Returns: `nil` if nobody records spans or writes contexts.
    init?(_ tracer: (any Tracer)?) {
      let instrument: any Instrument = tracer ?? InstrumentationSystem.instrument
      if instrument is NoOpInstrument || instrument is NoOpTracer { return nil }
      self.tracer = tracer ?? InstrumentationSystem.tracer
      self.instrument = instrument
    }
  }

  let span: any Span
  let backend: Backend

  init(_ backend: Backend, _ event: RequestEvent, ofKind kind: SpanKind, in context: ServiceContext)
  {
    self.backend = backend
    // By the convention: no path, because there would be any number of names.
    let method = event.knownMethod
    let name = method == event.method.rawValue ? method : "HTTP"
    span = backend.tracer.startSpan(name, context: context, ofKind: kind)
  }
}

/// The spans of all calls and attempts that have not ended.
///
/// They are separate, because an attempt may end after its call: when a stream is released.
final class OpenSpans: Sendable {
  /// A call, or one of its attempts, which have numbers from 1.
  struct ID: Hashable {
    let call: UInt64
    var attempt: Int?
  }

  private let spans = Mutex<[ID: OpenSpan]>([:])

  subscript(_ id: ID) -> OpenSpan? {
    get { spans.withLock { $0[id] } }
    set { spans.withLock { $0[id] = newValue } }
  }

  func remove(_ id: ID) -> OpenSpan? { spans.withLock { $0.removeValue(forKey: id) } }
}

extension RequestEvent {
  var callID: OpenSpans.ID { OpenSpans.ID(call: call) }
  var attemptID: OpenSpans.ID { OpenSpans.ID(call: call, attempt: attempt ?? 0) }
}
