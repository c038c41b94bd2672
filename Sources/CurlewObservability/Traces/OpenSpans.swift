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
  private struct AttemptID: Hashable {
    let call: UInt64
    let number: Int

    init?(_ event: RequestEvent) {
      guard let number = event.attempt else { return nil }
      (call, self.number) = (event.call, number)
    }
  }

  private struct State {
    var calls: [UInt64: OpenSpan] = [:]
    var attempts: [AttemptID: OpenSpan] = [:]
  }

  private let state = Mutex(State())

  subscript(_ call: UInt64) -> OpenSpan? { state.withLock { $0.calls[call] } }

  func attempt(of event: RequestEvent) -> OpenSpan? {
    AttemptID(event).flatMap { id in state.withLock { $0.attempts[id] } }
  }

  func insert(_ span: OpenSpan, ofCall call: UInt64) {
    state.withLock { $0.calls[call] = span }
  }

  func insert(_ span: OpenSpan, ofAttempt event: RequestEvent) {
    guard let id = AttemptID(event) else { return }
    state.withLock { $0.attempts[id] = span }
  }

  func remove(_ call: UInt64) -> OpenSpan? {
    state.withLock { $0.calls.removeValue(forKey: call) }
  }

  func removeAttempt(of event: RequestEvent) -> OpenSpan? {
    AttemptID(event).flatMap { id in state.withLock { $0.attempts.removeValue(forKey: id) } }
  }
}
