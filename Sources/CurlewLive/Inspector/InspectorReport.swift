import CurlewSupport

/// The report that the inspector polls: the new entries of a timeline, and the controls.
struct InspectorReport: Encodable {
  struct Entry: Encodable {
    let n: Int
    let t: Double
    var kind = ""
    var text: String?
    var work: String?
    var run: UInt64?
    var seconds: Double?
    var outcome: String?
    var call: UInt64?
    var stage: String?
    var attempt: Int?
    var status: Int?
    var bytes: Int?
    var curl: String?
  }

  struct Control: Encodable {
    let name, label, note, unit: String
    let min, max, step: Double
    /// `null` for no limit.
    let initial, value: Double??
  }

  struct Scenario: Encodable {
    let label, note: String
    let values: [String: Double]
    let submitsTwice: Bool
  }

  /// The maximum number of entries in a report, and the maximum length of an entry's text.
  private static let (maximumEntries, maximumTextLength) = (1_000, 300)
  private static let maximumCommandLength = 4_000

  let now: Double
  /// The address of the session's server in a fleet.
  let server: String?
  /// Whether new entries were dropped before this report.
  let isCut: Bool
  let entries: [Entry]
  let controls: [Control]
  /// The constant values, which only the first report contains.
  let scenarios: [Scenario]?
  let code: [String: String]?

  init(_ timeline: Timeline, after last: Int, _ inspector: LiveInspector, server: String?) {
    self.server = server
    let all = timeline.entries
    let new = all.drop { $0.number <= last }.suffix(Self.maximumEntries)
    now = timeline.now.inSeconds
    isCut = new.first.map { $0.number > last + 1 } ?? false
    entries = new.map(Self.entry)
    let isFirst = last == 0
    code = isFirst ? inspector.code : nil
    scenarios =
      isFirst
      ? inspector.scenarios.map {
        Scenario(
          label: $0.label, note: $0.note, values: $0.values, submitsTwice: $0.submitsTwice)
      } : nil
    controls = inspector.controls.map {
      Control(
        name: $0.name, label: $0.label, note: $0.note, unit: $0.unit, min: $0.range.lowerBound,
        max: $0.range.upperBound, step: $0.step, initial: .some($0.initial), value: .some($0.get()))
    }
  }

  private static func entry(_ entry: Timeline.Entry) -> Entry {
    var shown = Entry(n: entry.number, t: entry.time.inSeconds)
    switch entry.kind {
    case .opened(let address):
      (shown.kind, shown.text) = ("opened", String(address.prefix(maximumTextLength)))
    case .event(let event): (shown.kind, shown.text) = ("event", text(of: event))
    case .wait(let work, let delay):
      (shown.kind, shown.work, shown.seconds) = ("wait", work, delay.inSeconds)
    case .skip(let work): (shown.kind, shown.work) = ("skip", work)
    case .start(let work, let run): (shown.kind, shown.work, shown.run) = ("start", work, run)
    case .end(let work, let run, let outcome, let error):
      (shown.kind, shown.work, shown.run) = ("end", work, run)
      (shown.outcome, shown.text) = (
        outcome.rawValue, error.map { String($0.prefix(maximumTextLength)) }
      )
    case .request(let step):
      (shown.kind, shown.call, shown.run, shown.stage) = (
        "request", step.call, step.run, step.stage
      )
      (shown.text, shown.attempt, shown.status) = (step.text, step.attempt, step.status)
      (shown.seconds, shown.bytes) = (step.wait?.inSeconds, step.bytes)
      shown.curl = step.curl.map { String($0.prefix(maximumCommandLength)) }
    case .state: shown.kind = "state"
    case .sent(let bytes): (shown.kind, shown.bytes) = ("sent", bytes)
    }
    return shown
  }

  /// Describes an event, without the names of the screens that wrap the event's screen.
  private static func text(of event: Any) -> String {
    var event = event
    while let child = Mirror(reflecting: event).children.first, child.label == "content" {
      event = child.value
    }
    return StateDifference.text(of: event, longest: maximumTextLength)
  }
}

extension Duration {
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
