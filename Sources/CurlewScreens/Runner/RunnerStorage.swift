/// What a runner keeps under its lock.
struct RunnerStorage<State: Equatable & Sendable> {
  var state: State
  var work = WorkTable()
  /// How to find out which parts have gone, by their path without the id.
  private var watchers: [[PartID]: Presence<State>] = [:]
  /// The parts of newly started work whose presence has not been checked yet.
  private var unchecked: [Presence<State>] = []
  /// States that were passed through, to be released after the lock.
  var passed: [State] = []
  var isStopped = false
  var isSuspended = false
  /// No more events will come.
  var isFinished = false

  init(_ state: State, isObserved: Bool) {
    self.state = state
    work.steps = isObserved ? [] : nil
  }

  /// Whether nothing can change the state any more.
  var isOver: Bool { isStopped || (isFinished && work.isEmpty) }

  mutating func enter(_ job: Job<State>, for origin: Origin) -> Entry {
    for presence in job.presences {
      watchers[presence.path.place] = presence
      unchecked.append(presence)
    }
    return work.enter(job, for: origin)
  }

  /// Cancels the work of parts that are not there any more.
  mutating func cancelWorkOfGoneParts(since before: State) {
    guard !watchers.isEmpty else { return }
    var gone: Set<[PartID]> = []
    for presence in unchecked where !presence.isThere(state) { gone.insert(presence.path) }
    unchecked = []
    for (place, watcher) in watchers {
      guard let parts = work.parts[place] else {
        watchers[place] = nil
        continue
      }
      for part in watcher.gone(before, state, parts.keys) {
        gone.insert(place.dropLast() + [part])
      }
    }
    if !gone.isEmpty { work.cancelWork(ofParts: gone) }
  }
}
