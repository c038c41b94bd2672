/// The state of a runner that its lock protects.
struct RunnerStorage<State: Equatable & Sendable> {
  var work = WorkTable()
  /// The detectors of removed parts, by the part's path without the innermost id.
  private var watchers: [[PartID]: Presence<State>] = [:]
  /// The parts of newly started work that have not been checked for removal yet.
  private var unchecked: [Presence<State>] = []
  /// The names of the work whose tasks start when the change is complete.
  var starting: [WorkID] = []
  /// The parts that have changed their ids since `stateDidChange` was last called.
  var moves: [PartMove] = []
  var hasBegun = false
  /// Intermediate states, kept so that they are released outside the lock.
  var intermediate: [State] = []
  /// The pending calls to the observer, the navigator and the waiters of events, to make after the
  /// lock has been released.
  var deliveries: [@Sendable () -> Void] = []
  /// Whether a thread is making these calls.
  var isDelivering = false
  var isStopped = false
  /// The reason why the screen was ended; `nil` otherwise.
  var failure: LoadFailure?
  var isSuspended = false
  /// The time of the suspension; `nil` before the first, and while the screen is not suspended.
  var suspendedAt: Duration?
  /// Whether no more events will be sent.
  var isFinished = false
  #if DEBUG
    /// The work that has begun in the current change.
    var beginning: [Entry] = []
    /// The version of the state in which the loads, streams and writes have begun, by number.
    var versions: [UInt64: UInt64] = [:]
  #endif
  /// The number of changes of the shown state.
  var changeCount: UInt64 = 0
  /// The activity; `nil` if it is not computed.
  let tracker: ActivityTracker<State>?
  /// The last property, so that the offsets of the other properties are known at compile time.
  var state: State

  init(_ state: State, isObserved: Bool, tracker: ActivityTracker<State>?) {
    (self.state, self.tracker) = (state, tracker)
    work.steps = isObserved ? [] : nil
  }

  /// The state to show.
  var shown: State { tracker?.silentState ?? state }

  /// Whether nothing can change the state any more.
  var hasEnded: Bool { isStopped || (isFinished && work.isEmpty) }

  /// Renames the work of a part whose id has changed.
  mutating func move(_ move: PartMove) {
    work.move(from: move.from, to: move.to)
    for (path, watcher) in watchers where path.starts(with: move.from) {
      watchers[path] = nil
      watchers[path.moved(move.from, move.to)] = watcher
    }
    for index in unchecked.indices {
      unchecked[index].path = unchecked[index].path.moved(move.from, move.to)
    }
    starting = starting.map { $0.moved(move.from, move.to) }
    moves.append(move)
  }

  mutating func add(_ job: Job<State>, for origin: Origin) -> Entry {
    for presence in job.presences {
      watchers[presence.path.withoutElement] = presence
      unchecked.append(presence)
    }
    return work.add(job, for: origin)
  }

  mutating func cancelWorkOfRemovedParts(since before: State) {
    guard !watchers.isEmpty else { return }
    var removed: Set<[PartID]> = []
    for presence in unchecked where !presence.isPresent(state) { removed.insert(presence.path) }
    unchecked = []
    for (path, watcher) in watchers {
      guard let parts = work.parts[path] else {
        watchers[path] = nil
        continue
      }
      for part in watcher.removed(before, state, parts.keys) {
        removed.insert(path.dropLast() + [part])
      }
    }
    if !removed.isEmpty { work.cancelWork(ofParts: removed) }
  }
}
