package import CurlewLive
import Sandbox

extension Sandbox {
  /// The requests a minute that stand for no limit but those of the options.
  private static let noLimit = 60.0

  /// How slow, unreliable and strict the sandbox is, for a visitor of the pages to change.
  package var controls: [LiveInspector.Control] {
    [
      control(
        "latency", label: "Latency", note: "Each response takes this much longer.", unit: "ms",
        range: 0...3_000, step: 50, get: { $0.latency / .milliseconds(1) },
        set: { $0.latency = .milliseconds(Int($1)) }),
      control(
        "failures", label: "Failures", note: "This share of the requests fails with status 500.",
        unit: "%", range: 0...1, step: 0.05, get: { $0.failureRate }, set: { $0.failureRate = $1 }),
      control(
        "damage", label: "Damage", note: "So many entries of each list of top movies are broken.",
        range: 0...20, step: 1, get: { Double($0.damagedEntries) },
        set: { $0.damagedEntries = Int($1) }),
      control(
        "limit", label: "Rate limit",
        note: "GitHub's requests in a minute before it says no.",
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
      get: { get(self.options).map { min(max($0, range.lowerBound), range.upperBound) } }
    ) { value in self.update { set(&$0, value) } }
  }
}

extension [LiveInspector.Scenario] {
  /// What may happen to an app on its way, by the sandbox's controls.
  package static let sandbox = [
    LiveInspector.Scenario("Slow train", ["latency": 2_000, "failures": 0.2]),
    LiveInspector.Scenario("The server is down", ["failures": 1]),
    LiveInspector.Scenario("Rate limited", ["limit": 2]),
  ]
}
