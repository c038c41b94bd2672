public import Curlew
public import HTTPTypes
public import Tracing

/// An observer that records calls and network requests as spans with swift-distributed-tracing.
public final class TracingObserver: RequestObserver {
  private let tracer: (any Tracer)?
  private let open = OpenSpans()

  init(_ tracer: (any Tracer)?) {
    self.tracer = tracer
  }

  /// Starts and ends spans, and adds events to the call's span.
  public func observe(_ event: RequestEvent) {
    switch event.stage {
    case .began: begin(event)
    case .sending: beginAttempt(event)
    case .received: endAttempt(event, nil)
    case .lost(let error): endAttempt(event, error)
    case .finished: end(event, nil)
    case .failed(let error): end(event, error)
    default: addWait(event)
    }
  }

  /// Returns the header fields with the context of the attempt's span, such as `traceparent`.
  public func headerFields(for event: RequestEvent) -> [HTTPField] {
    guard let attempt = open[event.attemptID] else { return [] }
    var fields: HTTPFields = [:]
    attempt.backend.instrument.inject(
      attempt.span.context, into: &fields, using: FieldInjector())
    return Array(fields)
  }

  // MARK: Calls

  private func begin(_ event: RequestEvent) {
    guard let backend = OpenSpan.Backend(tracer) else { return }
    // Not of kind `client`: by the convention, each network request has such a span, and counting them would count the
    // call as well.
    let context = ServiceContext.current ?? .topLevel
    let call = OpenSpan(backend, event, ofKind: .internal, in: context)
    open[event.callID] = call
    guard call.span.isRecording else { return }
    call.span.updateAttributes { attributes in
      attributes.setRequest(of: event)
      attributes[Attribute.call] = "#\(event.call)"
      attributes[Attribute.initiator] = event.initiator?.description
    }
  }

  private func end(_ event: RequestEvent, _ error: Client.Error?) {
    guard let span = open.remove(event.callID)?.span else { return }
    if span.isRecording {
      let totals = event.totals
      span.updateAttributes { attributes in
        attributes[Attribute.status] = totals.status
        attributes[Attribute.bytes] = totals.bytes
        if totals.retries > 0 { attributes[Attribute.retries] = totals.retries }
        if totals.waited > .zero { attributes[Attribute.waited] = totals.waited.seconds }
        if totals.isCoalesced { attributes[Attribute.coalesced] = true }
      }
      if let error { span.fail(error.type, error) }
    }
    span.end()
  }

  private func addWait(_ event: RequestEvent) {
    guard let (name, attributes) = event.wait, let span = open[event.callID]?.span, span.isRecording
    else { return }
    span.addEvent(SpanEvent(name: name, attributes: attributes()))
    if case .coalesced(let leader?) = event.stage,
      let leader = open[OpenSpans.ID(call: leader)]?.span
    {
      span.addLink(SpanLink(context: leader.context, attributes: [:]))
    }
  }

  // MARK: Attempts

  private func beginAttempt(_ event: RequestEvent) {
    let call = open[event.callID]
    guard let backend = call?.backend ?? OpenSpan.Backend(tracer) else { return }
    // A time limit can end a call while an uncancellable middleware sends another request.
    let context = call?.span.context ?? ServiceContext.current ?? .topLevel
    let attempt = OpenSpan(backend, event, ofKind: .client, in: context)
    open[event.attemptID] = attempt
    guard attempt.span.isRecording else { return }
    attempt.span.updateAttributes { attributes in
      attributes.setRequest(of: event)
      if let number = event.attempt, number > 1 { attributes[Attribute.resendCount] = number - 1 }
    }
  }

  private func endAttempt(_ event: RequestEvent, _ error: Client.Error?) {
    guard let span = open.remove(event.attemptID)?.span else { return }
    if span.isRecording {
      span.updateAttributes { attributes in
        attributes[Attribute.status] = event.status
        attributes[Attribute.version] = event.httpVersion
      }
      if let type = event.attemptErrorType(error) { span.fail(type, error) }
    }
    span.end()
  }
}

extension RequestObserver where Self == TracingObserver {
  /// Records spans with swift-distributed-tracing, following OpenTelemetry's conventions for HTTP clients.
  ///
  /// Each call has a span, with a child span for each network request, including redirects and retries.
  ///
  /// The call's span is of kind `internal`. Its parent is the current task's span (`ServiceContext`), and it has events
  /// for retries and waits. The spans of requests are of kind `client`, and end when the body is read completely or
  /// released. Their context is injected into the header fields of each request. A custom `HTTPClient` must have
  /// tracing disabled, because it would inject a second context.
  ///
  /// - Parameter tracer: The tracer; `nil` for the tracer of `InstrumentationSystem`.
  public static func tracing(_ tracer: (any Tracer)? = nil) -> Self { TracingObserver(tracer) }
}
