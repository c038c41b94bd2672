/// What a runner keeps under its lock.
struct Core<State: Equatable & Sendable> {
  /// A piece of work that was started, and what it belongs to.
  struct Entry {
    let job: Job<State>
    /// Counts the work of the event that led to this one; `nil` when none is waited for.
    let event: PendingWork?
    /// Grows with each entry: work is resumed in the order in which it was started.
    let number: UInt64
  }

  /// The work with one name: what runs, and what waits to replace it.
  struct Slot {
    var waiting: Waiting?
    var running: Running?

    var isEmpty: Bool { waiting == nil && running == nil }
    var number: UInt64 { waiting?.entry.number ?? running?.entry.number ?? 0 }
  }

  struct Waiting {
    var entry: Entry
    var due: Duration
    let generation: UInt64
    var task: Task<Void, Never>?
  }

  struct Running {
    let entry: Entry
    var generation: UInt64
    var task: Task<Void, Never>?
  }

  /// The writes with one name that have not finished.
  struct Queue {
    /// The newest; it waits for those before it.
    var last: Task<Void, Never>?
    var number: UInt64
  }

  /// The parts at one place that may go, and that have work.
  struct Place {
    /// How many pieces of work each has.
    var parts: [PartID: Int] = [:]
    let gone: @Sendable (State, State, Dictionary<PartID, Int>.Keys) -> [PartID]
  }

  /// What is done when the lock has been released: cancelling a task and releasing a closure run code
  /// of others, which may call the runner.
  struct Aftermath {
    var tasks: [Task<Void, Never>] = []
    var entries: [Entry] = []
    /// The work of an event that has ended.
    var events: [PendingWork] = []
    var states: [State] = []
    var routes: [any Route] = []
  }

  var state: State
  var slots: [WorkID: Slot] = [:]
  var queues: [WorkID: Queue] = [:]
  /// The writes whose results are still wanted.
  var writes: [UInt64: Entry] = [:]
  private var places: [[PartID]: Place] = [:]
  /// The parts of work that was started since it was looked which are gone.
  private var unchecked: [Presence<State>] = []
  private var lastNumber: UInt64 = 0
  /// How many loads and writes have not ended.
  private(set) var working = 0
  var isStopped = false
  var isSuspended = false
  /// No more events will come.
  var isFinished = false
  var aftermath = Aftermath()
  /// What happened to work, for an observer; `nil` without one.
  var steps: [WorkStep]?

  init(_ state: State, isObserved: Bool) {
    self.state = state
    steps = isObserved ? [] : nil
  }

  var isWorking: Bool { working > 0 }

  /// Whether nothing can change the state any more.
  var isOver: Bool { isStopped || (isFinished && slots.isEmpty && working == 0) }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Beginning and end of work

  mutating func enter(_ job: Job<State>, for event: PendingWork?) -> Entry {
    if job.counts {
      working += 1
      event?.enter()
    }
    for presence in job.presences {
      places[presence.place, default: Place(gone: presence.gone)]
        .parts[presence.path[presence.path.count - 1], default: 0] += 1
      unchecked.append(presence)
    }
    return Entry(job: job, event: job.counts ? event : nil, number: nextNumber())
  }

  /// Takes work for ended: only what ``leave(_:)`` still has to do counts.
  private mutating func forget(_ entry: Entry) {
    for presence in entry.job.presences {
      let (place, part) = (presence.place, presence.path[presence.path.count - 1])
      guard let count = places[place]?.parts[part] else { continue }
      places[place]?.parts[part] = count > 1 ? count - 1 : nil
      if places[place]?.parts.isEmpty == true { places[place] = nil }
    }
    aftermath.entries.append(entry)
  }

  /// Ends work that finished, was replaced, was cancelled or is not wanted any more.
  mutating func leave(_ entry: Entry) {
    forget(entry)
    guard entry.job.counts else { return }
    working -= 1
    if let event = entry.event { aftermath.events.append(event) }
  }

  /// Lets work wait in the place of what waited before; returns whether that needs a new task.
  mutating func wait(_ entry: Entry, until due: Duration) -> Bool {
    if let waiting = slots[entry.job.id]?.waiting, waiting.due <= due {
      leave(waiting.entry)
      slots[entry.job.id]?.waiting?.entry = entry
      slots[entry.job.id]?.waiting?.due = due
      return false
    }
    stopWaiting(entry.job.id)
    slots[entry.job.id, default: Slot()].waiting = Waiting(
      entry: entry, due: due, generation: nextNumber())
    return true
  }

  mutating func stopWaiting(_ id: WorkID) {
    guard let waiting = slots[id]?.waiting else { return }
    slots[id]?.waiting = nil
    if let task = waiting.task { aftermath.tasks.append(task) }
    leave(waiting.entry)
  }

  /// Takes out the work whose wait is over.
  mutating func takeWaiting(_ id: WorkID) -> Entry? {
    defer { slots[id]?.waiting = nil }
    return slots[id]?.waiting?.entry
  }

  /// Replaces the running work with a name.
  mutating func run(_ entry: Entry) {
    end(entry.job.id, .replaced)
    slots[entry.job.id, default: Slot()].running = Running(entry: entry, generation: nextNumber())
  }

  /// Ends the running work with a name.
  mutating func end(_ id: WorkID, _ step: WorkStep.Kind) {
    guard let running = slots[id]?.running else { return }
    slots[id]?.running = nil
    // Without a task it is suspended, and was noted as cancelled then.
    if let task = running.task {
      note(id, step)
      if case .finished = step {} else { aftermath.tasks.append(task) }
    }
    leave(running.entry)
  }

  mutating func removeSlotIfEmpty(_ id: WorkID) {
    if slots[id]?.isEmpty == true { slots[id] = nil }
  }

  mutating func cancel(_ id: WorkID) {
    stopWaiting(id)
    end(id, .cancelled)
    slots[id] = nil
  }

  mutating func cancelAll() {
    for id in idsInOrder { cancel(id) }
    for entry in writes.values { abandon(entry) }
  }

  /// Forgets whom the result of a write is for; the write goes on.
  private mutating func abandon(_ entry: Entry) {
    writes[entry.number] = nil
    forget(entry)
  }

  /// Counts a write that has come to its end; returns it if its result is wanted.
  mutating func finishWrite(_ number: UInt64, _ id: WorkID) -> Entry? {
    if queues[id]?.number == number { queues[id] = nil }
    working -= 1
    guard let entry = writes.removeValue(forKey: number) else { return nil }
    forget(entry)
    return entry
  }

  mutating func note(_ id: WorkID, _ kind: WorkStep.Kind) {
    steps?.append(WorkStep(id: id, kind: kind))
  }

  // MARK: Parts that have gone

  /// Cancels the work of parts that are not there any more.
  mutating func cancelWorkOfGoneParts(since before: State) {
    guard !places.isEmpty else { return }
    var gone: Set<[PartID]> = []
    for presence in unchecked where !presence.isThere(state) { gone.insert(presence.path) }
    unchecked = []
    for (path, place) in places {
      for part in place.gone(before, state, place.parts.keys) {
        gone.insert(path.dropLast() + [part])
      }
    }
    guard !gone.isEmpty else { return }
    func isGone(_ id: WorkID) -> Bool {
      id.parts.indices.contains { gone.contains(Array(id.parts[...$0])) }
    }
    for id in idsInOrder where isGone(id) { cancel(id) }
    for entry in writes.values where isGone(entry.job.id) { abandon(entry) }
  }

  // MARK: Suspending

  /// The names of the work that can be stopped, in the order in which it was started.
  var idsInOrder: [WorkID] {
    slots.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  mutating func suspend() {
    isSuspended = true
    for id in idsInOrder {
      if let task = slots[id]?.waiting?.task { aftermath.tasks.append(task) }
      slots[id]?.waiting?.task = nil
      guard let running = slots[id]?.running, !running.entry.job.continuesWhileSuspended else {
        continue
      }
      if let task = running.task {
        aftermath.tasks.append(task)
        note(id, .cancelled)
      }
      slots[id]?.running?.task = nil
      // The cancelled task may still deliver: it must not count.
      let generation = nextNumber()
      slots[id]?.running?.generation = generation
    }
  }

  mutating func takeAftermath() -> Aftermath {
    defer { aftermath = Aftermath() }
    return aftermath
  }
}
