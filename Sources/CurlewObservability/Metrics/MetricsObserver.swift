public import CoreMetrics
public import Curlew

/// An observer that measures requests with swift-metrics.
public final class MetricsObserver: RequestObserver {
  /// The metrics of an attempt that has ended.
  ///
  /// The duration is a recorder of seconds, not a timer: OpenTelemetry's name promises seconds, and a
  /// timer's nanoseconds become what a backend prefers.
  private struct Attempts {
    let duration: Recorder
    let requestSize: Recorder
    let responseSize: Recorder

    init(_ series: Series, _ factory: any MetricsFactory) {
      let attributes = series.attemptAttributes
      func recorder(_ label: String) -> Recorder {
        Recorder(label: label, dimensions: attributes, aggregate: true, factory: factory)
      }
      duration = recorder("http.client.request.duration")
      requestSize = recorder("http.client.request.body.size")
      responseSize = recorder("http.client.response.body.size")
    }
  }

  private let factory: (any MetricsFactory)?
  private let attempts = SeriesTable<Attempts>()
  private let active = SeriesTable<Meter>()
  private let retries = SeriesTable<Counter>()

  init(_ factory: (any MetricsFactory)?) {
    self.factory = factory
  }

  /// Measures an attempt when it begins and ends, and counts retries.
  public func observe(_ event: RequestEvent) {
    switch event.stage {
    case .sending: backend.map { meter(of: event, $0).increment() }
    case .received(let bytes, let isComplete):
      end(event, nil, bytes: isComplete ? bytes : nil)
    case .lost(let error): end(event, error, bytes: nil)
    case .retrying(_, let reason):
      backend.map { countRetry(event, because: reason, $0) }
    default: break
    }
  }

  /// The factory; `nil` if nobody records anything.
  ///
  /// Not kept: a program may bootstrap the system after it has made its client.
  private var backend: (any MetricsFactory)? {
    let factory = factory ?? MetricsSystem.factory
    return factory is NOOPMetricsHandler ? nil : factory
  }

  private func meter(of event: RequestEvent, _ factory: any MetricsFactory) -> Meter {
    active.metric(of: Series(event)) {
      Meter(
        label: "http.client.active_requests", dimensions: $0.requestAttributes, factory: factory)
    }
  }

  private func end(_ event: RequestEvent, _ error: Client.Error?, bytes: Int?) {
    guard let factory = backend else { return }
    meter(of: event, factory).decrement()
    var series = Series(event)
    series.status = event.status
    series.version = event.httpVersion
    series.error = event.attemptErrorType(error)
    let metrics = attempts.metric(of: series) { Attempts($0, factory) }
    metrics.duration.record((event.attemptTime ?? .zero).seconds)
    if let size = event.bodySize { metrics.requestSize.record(size) }
    // The size of a part says nothing about bodies.
    if let bytes { metrics.responseSize.record(bytes) }
  }

  private func countRetry(
    _ event: RequestEvent, because reason: RequestEvent.RetryReason, _ factory: any MetricsFactory
  ) {
    var series = Series(event)
    series.error = reason.type
    retries.metric(of: series) {
      Counter(label: "curlew.client.retries", dimensions: $0.retryAttributes, factory: factory)
    }.increment()
  }
}

extension RequestObserver where Self == MetricsObserver {
  /// Measures requests with swift-metrics, as OpenTelemetry's conventions for HTTP clients say: each
  /// request on the wire once, redirects and retries included.
  ///
  /// | metric | type | unit |
  /// | --- | --- | --- |
  /// | `http.client.request.duration` | recorder | s: until the body has been read |
  /// | `http.client.active_requests` | meter | requests |
  /// | `http.client.request.body.size` | recorder | bytes; without bodies of unknown size |
  /// | `http.client.response.body.size` | recorder | bytes after decompression, of complete bodies |
  /// | `curlew.client.retries` | counter | retries, for which OpenTelemetry has no name |
  ///
  /// No attribute contains a path or a query, and there are at most 2,000 series of each metric.
  ///
  /// - Parameter factory: The factory; `nil` for that of `MetricsSystem`. The first one that records
  ///   anything makes a metric, which is kept.
  public static func metrics(factory: (any MetricsFactory)? = nil) -> Self {
    MetricsObserver(factory)
  }
}
