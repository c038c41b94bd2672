package import CurlewLive
import Foundation
import Sandbox

extension Sandbox {
  /// The slider value, in requests per minute, that restores the default limits.
  private static let noLimit = 60.0

  /// The controls for the latency, failures and limits of the sandbox; they affect only the current
  /// visitor.
  package var controls: [LiveInspector.Control] {
    [
      control(
        "latency", label: "Latency", note: "The delay of each response.", unit: "ms",
        range: 0...3_000, step: 50, get: { $0.latency / .milliseconds(1) },
        set: { $0.latency = .milliseconds(Int($1)) }),
      control(
        "failures", label: "Failures", note: "The share of requests that fail with status 500.",
        unit: "%", range: 0...1, step: 0.05, get: { $0.failureRate }, set: { $0.failureRate = $1 }),
      control(
        "outage", label: "Outage", note: "How long all connections are cut off.", unit: "s",
        range: 0...10, step: 1,
        get: { options in
          options.outageEnd.map { $0.timeIntervalSince(options.now()).rounded(.up) } ?? 0
        },
        set: { options, seconds in
          options.outageEnd = seconds > 0 ? options.now().addingTimeInterval(seconds) : nil
        }),
      control(
        "damage", label: "Damage", note: "Malformed entries in each list of top movies.",
        range: 0...20, step: 1, get: { Double($0.damagedEntries) },
        set: { $0.damagedEntries = Int($1) }),
      control(
        "limit", label: "Rate limit",
        note: "The requests per minute that GitHub accepts.",
        unit: "per min", range: 1...Self.noLimit, step: 1,
        get: { $0.rateWindow == .seconds(60) ? Double($0.rateLimit ?? 0) : nil },
        set: { options, value in
          let limit = value < Self.noLimit ? Int(value) : nil
          options.rateWindow = limit.map { _ in .seconds(60) }
          options.rateLimit = limit ?? Options().rateLimit
          options.searchRateLimit = limit ?? Options().searchRateLimit
        }),
    ]
  }

  private func control(
    _ name: String, label: String, note: String, unit: String = "", range: ClosedRange<Double>,
    step: Double, get: @escaping @Sendable (Options) -> Double?,
    set: @escaping @Sendable (inout Options, Double) -> Void
  ) -> LiveInspector.Control {
    LiveInspector.Control(
      name, label: label, note: note, unit: unit, range: range, step: step,
      get: {
        get(self.options(of: LiveInspector.visitor))
          .map { min(max($0, range.lowerBound), range.upperBound) }
      }
    ) { value in self.update(for: LiveInspector.visitor) { set(&$0, value) } }
  }
}

extension [LiveInspector.Scenario] {
  /// Network scenarios made of the sandbox's controls.
  package static let sandbox = [
    LiveInspector.Scenario(
      "Slow train", ["latency": 2_000, "failures": 0.2],
      note: "Type while a search is running: the newest search wins, and failures are retried."),
    LiveInspector.Scenario(
      "The server is down", ["failures": 1],
      note: "Search for something new, such as vapor/vapor: "
        + "retries with longer and longer waits, then one error."),
    LiveInspector.Scenario(
      "Rate limited", ["limit": 2],
      note: "Search three times: the third search waits until the server allows it."),
    LiveInspector.Scenario(
      "Kill the server", ["outage": 5],
      note: "Search within 5 seconds: the connection is cut, until the server is back."),
    LiveInspector.Scenario.twoClicks(
      "Two clicks at once",
      note: "The page's button is pressed twice. One event is applied, and one request is sent."),
  ]
}
