public import CoreMetrics
public import Curlew

/// An observer that measures requests with swift-metrics.
public final class MetricsObserver: RequestObserver {
  /// The metrics of a completed attempt.
  ///
  /// The duration is a recorder in seconds, not a timer: OpenTelemetry's name requires seconds, and backends export
  /// timers in other units.
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

  /// Records the start and end of an attempt, and counts retries.
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

  /// The factory; `nil` if no metrics are recorded.
  ///
  /// Not stored, because a program may bootstrap the metrics system after creating its client.
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
    // The size of a partial body is not a body size.
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
  /// Records metrics of requests with swift-metrics, following OpenTelemetry's conventions for HTTP clients.
  ///
  /// Each network request counts once, including redirects and retries.
  ///
  /// | metric | type | unit |
  /// | --- | --- | --- |
  /// | `http.client.request.duration` | recorder | s, until the body is read |
  /// | `http.client.active_requests` | meter | requests |
  /// | `http.client.request.body.size` | recorder | bytes, except for bodies of unknown size |
  /// | `http.client.response.body.size` | recorder | bytes after decompression, for complete bodies |
  /// | `curlew.client.retries` | counter | retries, not defined by OpenTelemetry |
  ///
  /// No attribute contains a path or a query. Each metric has at most 2,000 series.
  ///
  /// - Parameter factory: The factory; `nil` for the factory of `MetricsSystem`. Each metric is created by the first
  ///   factory that is not a no-op, and is kept.
  public static func metrics(factory: (any MetricsFactory)? = nil) -> Self {
    MetricsObserver(factory)
  }
}
