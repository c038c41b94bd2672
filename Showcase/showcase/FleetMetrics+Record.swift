import CoreMetrics
import CurlewFleet

extension FleetMetrics {
  /// Records the counts in the metrics of this process.
  func record() {
    let seconds = { $0 / Duration.seconds(1) }
    for (name, value) in [
      ("connected", isConnected ? 1 : 0), ("calls", Double(calls)),
      ("latency_seconds", seconds(latency)),
      ("failures", Double(failures)), ("reconnections", Double(reconnections)),
      ("denied", Double(denied)),
    ] {
      Recorder(label: "curlew.fleet.\(name)", aggregate: false).record(value)
    }
  }
}
