import CoreMetrics
import Synchronization

/// A metrics factory that records only the number of sessions.
final class SessionCount: MetricsFactory {
  private let counts = Mutex<[String: Double]>([:])

  var sum: Int { Int(counts.withLock { $0.values.reduce(0, +) }) }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard label == "curlew.live.sessions" else { return NOOPMetricsHandler.instance }
    return Gauge(page: dimensions.map(\.1).joined(), all: self)
  }

  private final class Gauge: RecorderHandler {
    private let page: String
    private let all: SessionCount

    init(page: String, all: SessionCount) { (self.page, self.all) = (page, all) }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) { all.counts.withLock { $0[page] = value } }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    NOOPMetricsHandler.instance
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    NOOPMetricsHandler.instance
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
