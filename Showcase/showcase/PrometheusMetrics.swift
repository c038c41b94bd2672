package import CoreMetrics
import Hummingbird
import Synchronization

/// The metrics of the process, as text for Prometheus (exposition format 0.0.4).
package final class PrometheusMetrics: MetricsFactory {
  /// A metric with its dimensions: a counter, a gauge, or the sum and the number of recorded values.
  private final class Series: CounterHandler, RecorderHandler, TimerHandler {
    enum Kind: String { case counter, gauge, summary }

    let kind: Kind
    private let state = Mutex<(sum: Double, count: Int)>((0, 0))

    init(_ kind: Kind) { self.kind = kind }

    func increment(by amount: Int64) { record(Double(amount)) }
    func reset() { state.withLock { $0 = (0, 0) } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
      state.withLock { state in
        state.sum = kind == .gauge ? value : state.sum + value
        state.count += 1
      }
    }

    func lines(_ name: String, _ labels: String) -> String {
      let (sum, count) = state.withLock { $0 }
      guard kind == .summary else { return "\(name)\(labels) \(sum)\n" }
      return "\(name)_sum\(labels) \(sum)\n\(name)_count\(labels) \(count)\n"
    }
  }

  /// The metrics by their names and labels in the text.
  private let series = Mutex<[String: [String: Series]]>([:])

  private func series(
    _ label: String, _ dimensions: [(String, String)], _ kind: Series.Kind, _ unit: String = ""
  ) -> Series {
    let name = Self.name(label) + unit
    let pairs = dimensions.map { "\(Self.name($0))=\"\(Self.escaped($1))\"" }
    let labels = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    return series.withLock { all in
      // A name has one kind; another one's values are counted nowhere.
      if let other = all[name]?.first?.value, other.kind != kind { return Series(kind) }
      if let known = all[name]?[labels] { return known }
      let new = Series(kind)
      all[name, default: [:]][labels] = new
      return new
    }
  }

  private static func name(_ label: String) -> String {
    label.replacing(/[^a-zA-Z0-9_]/, with: "_").replacing(/^[0-9]/) { "_\($0.output)" }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter, "_total")
  }

  package func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .summary : .gauge)
  }

  package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .summary, "_seconds")
  }

  package func destroyCounter(_ handler: any CounterHandler) {}
  package func destroyRecorder(_ handler: any RecorderHandler) {}
  package func destroyTimer(_ handler: any TimerHandler) {}

  /// The text.
  var text: String {
    series.withLock { $0 }.sorted { $0.key < $1.key }.map { name, series in
      let kind = series.first?.value.kind ?? .gauge
      return "# TYPE \(name) \(kind.rawValue)\n"
        + series.sorted { $0.key < $1.key }.map { $1.lines(name, $0) }.joined()
    }.joined()
  }

  /// The metrics of this process, which are collected from the first use on.
  static let process: PrometheusMetrics = {
    let metrics = PrometheusMetrics()
    MetricsSystem.bootstrap(metrics)
    return metrics
  }()

  /// The response to Prometheus.
  var response: Response {
    Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}
