import Curlew
import HTTPTypes
import Synchronization
import Tracing

/// An open span, with the instrument that injects its context into requests.
struct OpenSpan: Sendable {
  /// The tracer and the instrument that injects contexts; often the same object.
  struct Backend: Sendable {
    let tracer: any Tracer
    let instrument: any Instrument

    /// - Returns: `nil` if neither spans are recorded nor contexts injected.
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
    // By the convention, names have no path, to bound their number.
    let method = event.knownMethod
    let name = method == event.method.rawValue ? method : "HTTP"
    span = backend.tracer.startSpan(name, context: context, ofKind: kind)
  }
}

/// The open spans of all calls and attempts.
///
/// They are separate, because an attempt may outlive its call: until a stream is released.
final class OpenSpans: Sendable {
  /// The identifier of a call, or of an attempt; attempts are numbered from 1.
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
