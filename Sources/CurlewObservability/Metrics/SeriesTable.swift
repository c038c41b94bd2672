import Synchronization

/// The metrics of all series so far.
///
/// Each metric has at most 2,000 series, as in OpenTelemetry's SDKs, and an overflow series, so that redirects to ever
/// new hosts don't consume more memory. Series are never removed, because the metric that was incremented must be
/// decremented.
final class SeriesTable<Metric: Sendable>: Sendable {
  private let limit: Int
  private let metrics = Mutex<[Series: Metric]>([:])

  init(limit: Int = 2_000) {
    self.limit = limit
  }

  /// Returns the metric of a series, creating it if necessary.
  ///
  /// - Parameter make: Creates the metric. Runs under the lock, because some backends aggregate within a metric, and
  ///   two metrics of a series would count separately.
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
