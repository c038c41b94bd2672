import Synchronization

/// The metrics of all series so far.
///
/// There are at most 2,000 of a metric, as in OpenTelemetry's SDKs, and one for the rest, so that a
/// server that redirects to ever new hosts takes no more memory. None is removed: what has incremented
/// a metric must decrement the same one.
final class SeriesTable<Metric: Sendable>: Sendable {
  private let limit: Int
  private let metrics = Mutex<[Series: Metric]>([:])

  init(limit: Int = 2_000) {
    self.limit = limit
  }

  /// Returns the metric of a series, which is made when there is none.
  ///
  /// - Parameter make: Runs under the lock: two metrics of one series would count on their own where a
  ///   backend adds up in the metric.
  func metric(of series: Series, _ make: (Series) -> Metric) -> Metric {
    metrics.withLock { metrics in
      if let metric = metrics[series] { return metric }
      let series = metrics.count < limit ? series : .overflow
      if let metric = metrics[series] { return metric }
      let metric = make(series)
      metrics[series] = metric
      return metric
    }
  }
}
