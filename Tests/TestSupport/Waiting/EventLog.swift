// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Curlew
import Synchronization

/// Records the events of clients, and checks that each call and each attempt ends once.
public final class EventLog: RequestObserver {
  private struct State {
    var events: [RequestEvent] = []
    var openCalls: Set<UInt64> = []
    var openAttempts: Set<String> = []
    var problems: [String] = []
  }

  private let state = Mutex(State())
  private let keepsEvents: Bool

  /// - Parameter keepsEvents: Whether events are kept after the checks.
  public init(keepsEvents: Bool = true) {
    self.keepsEvents = keepsEvents
  }

  /// All events, in order of arrival.
  public var events: [RequestEvent] { state.withLock { $0.events } }
  /// Violations: an end without a beginning, or a second end.
  public var problems: [String] { state.withLock { $0.problems } }
  /// The number of calls and attempts that have not ended.
  public var open: Int { state.withLock { $0.openCalls.count + $0.openAttempts.count } }

  /// Returns the names of a call's stages, such as `began`; of the first call by default.
  public func stages(of call: UInt64? = nil) -> [String] {
    let events = events
    let call = call ?? events.first?.call
    return events.filter { $0.call == call }.map(\.stage.name)
  }

  /// Returns the first event with a stage of this name, such as `began`.
  public func first(_ name: String) -> RequestEvent? { events.first { $0.stage.name == name } }

  /// The calls in the order in which they began.
  public var calls: [UInt64] {
    events.compactMap { if case .began = $0.stage { $0.call } else { nil } }
  }

  public func observe(_ event: RequestEvent) {
    state.withLock { state in
      if keepsEvents { state.events.append(event) }
      let attempt = "\(event.call) \(event.attempt ?? 0)"
      let isInOrder =
        switch event.stage {
        case .began: state.openCalls.insert(event.call).inserted
        case .finished, .failed: state.openCalls.remove(event.call) != nil
        case .sending: state.openAttempts.insert(attempt).inserted
        // The transport's thread may report late.
        case .connecting, .sent: true
        case .received, .lost: state.openAttempts.remove(attempt) != nil
        default: event.attempt == nil || state.openAttempts.contains(attempt)
        }
      if !isInOrder { state.problems.append("\(event)") }
    }
  }
}

extension RequestEvent.Stage {
  /// The name of the stage's case.
  public var name: String { String("\(self)".prefix { $0 != "(" }) }
}
