import CurlewSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension LiveRoutes {
  /// Adds the routes of the inspector; each responds to browsers on this machine alone.
  func addInspector(
    _ inspector: LiveInspector, to router: Router<some RequestContext>, at base: String
  ) {
    router.get(RouterPath(base + "/inspector")) { request, _ in
      guard isLocal(request), let timeline = sessions[request.headers]?.timeline else {
        return missing
      }
      let after = LiveQuery(request.uri.query ?? "")["after"].flatMap(Int.init) ?? 0
      return json(InspectorReport(timeline, after: after, inspector.controls))
    }
    router.get(RouterPath(base + "/inspector/state")) { request, _ in
      let number = LiveQuery(request.uri.query ?? "")["n"].flatMap(Int.init)
      guard isLocal(request), let timeline = sessions[request.headers]?.timeline, let number,
        let difference = StateDifference(of: number, in: timeline)
      else { return missing }
      return json(difference)
    }
    router.post(RouterPath(base + "/inspector/controls")) { request, _ in
      guard isLocal(request), isSameOrigin(request), sessions[request.headers] != nil else {
        return missing
      }
      return await set(inspector.controls, by: request)
    }
  }

  private var missing: Response { refusal(.notFound, "There is nothing to inspect.") }

  private func set(_ controls: [LiveInspector.Control], by request: Request) async -> Response {
    var request = request
    guard let body = try? await request.collectBody(upTo: limits.messageSize),
      let setting = try? JSONDecoder().decode(
        ControlSetting.self, from: Data(body.readableBytesView)),
      let control = controls.first(where: { $0.name == setting.name })
    else { return refusal(.badRequest, "There is no such control.") }
    guard control.range.contains(setting.value) else {
      let (low, high) = (control.range.lowerBound.formatted(), control.range.upperBound.formatted())
      return refusal(.unprocessableContent, "\(control.label) is between \(low) and \(high).")
    }
    do {
      try control.set(setting.value)
    } catch {
      return refusal(.unprocessableContent, error.text)
    }
    return Response(status: .noContent, headers: [.cacheControl: "no-store"])
  }

  /// Returns whether a request comes from a browser on this machine, and to a name of this machine.
  ///
  /// Only ``LiveChannel`` knows where it comes from.
  func isLocal(_ request: Request) -> Bool {
    // A proxy on this machine speaks for others.
    let isForwarded = ["Forwarded", "X-Forwarded-For"].compactMap { HTTPField.Name($0) }
      .contains { request.headers[$0] != nil }
    guard LiveChannel.peer?.isLocal == true, !isForwarded,
      let authority = request.head.authority?.lowercased()
    else { return false }
    return authority.wholeMatch(of: /(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?/) != nil
  }

  private func json(_ value: some Encodable) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return missing }
    return Response(
      status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
  }
}

extension StateDifference {
  /// What a state of a timeline changed; `nil` when it is no longer kept.
  fileprivate init?(of number: Int, in timeline: Timeline) {
    var before: (any Sendable)?
    for entry in timeline.entries where entry.number <= number {
      guard case .state(let state) = entry.kind else { continue }
      if entry.number == number {
        self.init(from: before, to: state)
        return
      }
      before = state
    }
    return nil
  }
}

/// What a browser sets.
private struct ControlSetting: Decodable {
  let name: String
  let value: Double
}

/// What the inspector asks for again and again: what is new in a timeline, and the controls.
private struct InspectorReport: Encodable {
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
  }

  struct Control: Encodable {
    let name, label, note, unit: String
    let min, max, step: Double
    /// `null` for no limit.
    let initial, value: Double??
  }

  /// The most entries of one report, and the longest text of one.
  private static let (mostEntries, longestText) = (1_000, 300)

  let now: Double
  /// Whether entries were dropped that this one should have had.
  let isCut: Bool
  let entries: [Entry]
  let controls: [Control]

  init(_ timeline: Timeline, after last: Int, _ controls: [LiveInspector.Control]) {
    let all = timeline.entries
    let new = all.drop { $0.number <= last }.suffix(Self.mostEntries)
    now = timeline.now.inSeconds
    isCut = new.first.map { $0.number > last + 1 } ?? false
    entries = new.map(Self.entry)
    self.controls = controls.map {
      Control(
        name: $0.name, label: $0.label, note: $0.note, unit: $0.unit, min: $0.range.lowerBound,
        max: $0.range.upperBound, step: $0.step, initial: .some($0.initial), value: .some($0.get()))
    }
  }

  private static func entry(_ entry: Timeline.Entry) -> Entry {
    var shown = Entry(n: entry.number, t: entry.time.inSeconds)
    switch entry.kind {
    case .opened(let address):
      (shown.kind, shown.text) = ("opened", String(address.prefix(longestText)))
    case .event(let event): (shown.kind, shown.text) = ("event", text(of: event))
    case .wait(let work, let delay):
      (shown.kind, shown.work, shown.seconds) = ("wait", work, delay.inSeconds)
    case .skip(let work): (shown.kind, shown.work) = ("skip", work)
    case .start(let work, let run): (shown.kind, shown.work, shown.run) = ("start", work, run)
    case .end(let work, let run, let outcome, let error):
      (shown.kind, shown.work, shown.run) = ("end", work, run)
      (shown.outcome, shown.text) = (outcome.rawValue, error.map { String($0.prefix(longestText)) })
    case .request(let step):
      (shown.kind, shown.call, shown.run, shown.stage) = (
        "request", step.call, step.run, step.stage
      )
      (shown.text, shown.attempt, shown.status) = (step.text, step.attempt, step.status)
      (shown.seconds, shown.bytes) = (step.wait?.inSeconds, step.bytes)
    case .state: shown.kind = "state"
    case .sent(let bytes): (shown.kind, shown.bytes) = ("sent", bytes)
    }
    return shown
  }

  /// Describes an event, without the names of the screens around the one that it is for.
  private static func text(of event: Any) -> String {
    var event = event
    while let child = Mirror(reflecting: event).children.first, child.label == "content" {
      event = child.value
    }
    return StateDifference.text(of: event, longest: longestText)
  }
}

extension Duration {
  fileprivate var inSeconds: Double { self / .seconds(1) }
}
