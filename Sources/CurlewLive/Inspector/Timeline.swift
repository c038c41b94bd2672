package import CurlewScreens
package import CurlewSupport
import Synchronization

/// A record of a screen's activity and of its work's requests, in order, which the inspector shows.
///
/// It keeps the newest entries.
package final class Timeline: Sendable {
  /// An entry of the timeline.
  package struct Entry: Sendable {
    /// The entry's number, starting at 1.
    package let number: Int
    /// The time since the timeline began.
    package let time: Duration
    package let kind: Kind
  }

  /// A kind of entry.
  package enum Kind: Sendable {
    /// The screen opened an address.
    case opened(String)
    /// The screen received an event.
    case event(any Sendable)
    /// Work waits before it starts; added again when newer work of that name postpones it.
    case wait(work: String, for: Duration)
    /// Waiting work does not start, because its `if` condition is false.
    case skip(work: String)
    /// A run of work began; `run` is its number.
    case start(work: String, run: UInt64)
    /// A run ended, or a wait ended, whose `run` is 0.
    case end(work: String, run: UInt64, Outcome, error: String?)
    /// A request of a run reached a stage.
    case request(RequestStep)
    /// The screen has a new state.
    case state(any Sendable)
    /// A number of bytes was sent to the browser.
    case sent(Int)
  }

  /// How work ended.
  package enum Outcome: String, Sendable {
    case finished, failed, replaced, cancelled
  }

  private struct State {
    var visitor: String?
    var entries: [Entry] = []
    var count = 0
    /// Whether an address is being opened, so that its events are not added.
    var isOpening = false
    /// The number of the newest run that has begun; runs begin in order.
    var newestRun: UInt64 = 0
    /// The request steps of runs that have not been reported as begun yet, keyed by run.
    var early: [UInt64: [RequestStep]] = [:]

    mutating func append(_ kind: Kind, at time: Duration) {
      count += 1
      entries.append(Entry(number: count, time: time, kind: kind))
    }
  }

  private let clock: RelativeClock
  private let limit: Int
  /// The recorders of the screen: its own, and that of the app, if there is one.
  let recorders: [TraceRecorder]
  private let state = Mutex(State())

  /// Creates a timeline that keeps the newest entries, at least as many as `limit`.
  ///
  /// - Parameter recorder: The recorder of the app's trace.
  package init(
    _ clock: any Clock<Duration>, limit: Int = 1_000, recorder: TraceRecorder? = nil
  ) {
    self.clock = RelativeClock(clock)
    self.limit = limit
    recorders = [TraceRecorder()] + (recorder.map { [$0] } ?? [])
  }

  /// The trace of the screen.
  package var trace: Trace { recorders[0].trace }

  /// The id of the screen's visitor; `nil` while there is none.
  package var visitor: String? { state.withLock { $0.visitor } }

  /// Assigns the timeline to a visitor.
  package func belongs(to visitor: String) { state.withLock { $0.visitor = visitor } }

  /// The time since the timeline began.
  package var now: Duration { clock.now }

  /// Adds that the screen opens an address, without the events that `send` sends for it.
  package func opens(_ address: String, by send: () -> Void) {
    add(.opened(address))
    state.withLock { $0.isOpening = true }
    send()
    state.withLock { $0.isOpening = false }
  }

  /// Adds an entry with the current time.
  package func add(_ kind: Kind) {
    // Released after unlocking, because releasing a state's values may run other code.
    let dropped = state.withLock { state in
      if state.isOpening, kind.isOfOpening { return [] as ArraySlice<Entry> }
      // A run's task may send a request before the runner has reported that it began.
      if case .request(let step) = kind, step.run > state.newestRun {
        state.early[step.run, default: []].append(step)
        return []
      }
      let now = clock.now
      state.append(kind, at: now)
      if case .start(_, let run) = kind {
        state.newestRun = max(state.newestRun, run)
        for step in state.early.removeValue(forKey: run) ?? [] {
          state.append(.request(step), at: now)
        }
      }
      guard state.entries.count >= 2 * limit else { return [] }
      let dropped = state.entries.prefix(limit)
      state.entries.removeFirst(limit)
      return dropped
    }
    withExtendedLifetime(dropped) {}
  }

  /// The stored entries, oldest first.
  package var entries: [Entry] { state.withLock { $0.entries } }
}

extension Timeline.Kind {
  /// Whether the entry is redundant while an address is being opened.
  fileprivate var isOfOpening: Bool {
    switch self {
    case .event, .wait, .skip, .end(_, 0, _, _): true
    default: false
    }
  }
}
