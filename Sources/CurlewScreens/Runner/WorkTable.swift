/// A piece of work that was started, and what it belongs to.
struct Entry: Sendable {
  let job: any AnyJob
  /// Counts the work of the event that led to this one; `nil` when nobody waits for it.
  let event: PendingWork?
  /// Other events that wait for it, too.
  var joined: [PendingWork]
  /// Grows with each entry: work is resumed in the order in which it was started.
  let number: UInt64

  var id: WorkID { job.id }

  /// Adds who waits for it; returns whether that is somebody new.
  mutating func join(_ waiting: PendingWork) -> Bool {
    guard job.kind.counts, event !== waiting, !joined.contains(where: { $0 === waiting }) else {
      return false
    }
    joined.append(waiting)
    return true
  }
}

/// The work of a runner: what runs and what waits, by name.
///
/// It knows nothing of the screen's state, and is not generic, to be fast.
struct WorkTable {
  /// The work with one name.
  struct Slot {
    var waiting: Waiting?
    var running: Running?

    var isEmpty: Bool { waiting == nil && running == nil }
    var number: UInt64 { waiting?.entry.number ?? running?.entry.number ?? 0 }
  }

  /// A load or a timer whose delay is not over.
  struct Waiting {
    var entry: Entry
    var due: Duration
    let generation: UInt64
    var task: Task<Void, Never>?
  }

  struct Running {
    var entry: Entry
    var generation: UInt64
    /// `nil` while it is suspended.
    var task: Task<Void, Never>?
  }

  /// The writes with one name that have not finished.
  struct Queue {
    /// The newest; it waits for those before it.
    let last: Task<Void, Never>
    let number: UInt64
  }

  /// What is done when the lock has been released: cancelling a task and releasing a closure run
  /// code of others, which may call the runner.
  struct Effects {
    var tasks: [Task<Void, Never>] = []
    var entries: [Entry] = []
    /// The work of an event that has ended.
    var events: [PendingWork] = []
    var routes: [any Route] = []
  }

  var slots: [WorkID: Slot] = [:]
  var queues: [WorkID: Queue] = [:]
  /// The writes whose results are still wanted.
  private var writes: [UInt64: Entry] = [:]
  /// How much work each part has that may go, by the part's path without its id.
  private(set) var parts: [[PartID]: [PartID: Int]] = [:]
  private var lastNumber: UInt64 = 0
  /// How many loads and writes have not ended.
  private var working = 0
  var effects = Effects()
  /// What happened to work, for an observer; `nil` without one.
  var steps: [WorkStep]?

  var isWorking: Bool { working > 0 }

  /// Whether there is no work of any kind.
  var isEmpty: Bool { slots.isEmpty && working == 0 }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func note(_ id: WorkID, _ kind: WorkStep.Kind) {
    steps?.append(WorkStep(id: id, kind: kind))
  }

  mutating func takeEffects() -> Effects {
    defer { effects = Effects() }
    return effects
  }

  // MARK: Beginning and end

  mutating func enter(_ job: some AnyJob, for origin: Origin) -> Entry {
    let counts = job.kind.counts
    if counts {
      working += 1
      origin.work?.enter()
      for event in origin.joined { event.enter() }
    }
    for path in job.parts { parts[path.place, default: [:]][path.part, default: 0] += 1 }
    return Entry(
      job: job, event: counts ? origin.work : nil, joined: counts ? origin.joined : [],
      number: nextNumber())
  }

  /// Ends work that finished, was replaced, was cancelled or is not wanted any more.
  mutating func leave(_ entry: Entry) {
    forget(entry)
    guard entry.job.kind.counts else { return }
    working -= 1
    if let event = entry.event { effects.events.append(event) }
    effects.events += entry.joined
  }

  private mutating func forget(_ entry: Entry) {
    for path in entry.job.parts {
      guard let count = parts[path.place]?[path.part] else { continue }
      parts[path.place]?[path.part] = count > 1 ? count - 1 : nil
      if parts[path.place]?.isEmpty == true { parts[path.place] = nil }
    }
    effects.entries.append(entry)
  }

  /// Whether a load with a name runs or waits to.
  func isLoading(_ id: WorkID) -> Bool {
    slots[id]?.running?.entry.job.kind.counts == true
      || slots[id]?.waiting?.entry.job.kind.counts == true
  }

  /// Has another event wait for a load, and for what it leads to.
  mutating func join(_ id: WorkID, _ event: PendingWork) {
    if slots[id]?.running?.entry.join(event) == true { event.enter() }
    if slots[id]?.waiting?.entry.join(event) == true { event.enter() }
  }

  // MARK: Loads, streams and timers

  /// Lets work wait instead of what waited before; returns whether that needs a new task.
  mutating func wait(_ entry: Entry, until due: Duration) -> Bool {
    let id = entry.id
    if let waiting = slots[id]?.waiting, waiting.due <= due {
      leave(waiting.entry)
      slots[id]?.waiting?.entry = entry
      slots[id]?.waiting?.due = due
      return false
    }
    stopWaiting(id)
    slots[id, default: Slot()].waiting = Waiting(
      entry: entry, due: due, generation: nextNumber())
    return true
  }

  mutating func stopWaiting(_ id: WorkID) {
    guard let waiting = slots[id]?.waiting else { return }
    slots[id]?.waiting = nil
    if let task = waiting.task { effects.tasks.append(task) }
    leave(waiting.entry)
  }

  /// Takes out the work whose wait is over.
  mutating func takeWaiting(_ id: WorkID) -> Entry? {
    defer { slots[id]?.waiting = nil }
    return slots[id]?.waiting?.entry
  }

  /// Replaces the running work with a name.
  mutating func run(_ entry: Entry) {
    end(entry.id, .replaced)
    slots[entry.id, default: Slot()].running = Running(entry: entry, generation: nextNumber())
  }

  /// Ends the running work with a name.
  mutating func end(_ id: WorkID, _ step: WorkStep.Kind) {
    guard let running = slots[id]?.running else { return }
    slots[id]?.running = nil
    // Without a task it is suspended, and was noted as cancelled then.
    if let task = running.task {
      note(id, step)
      if case .finished = step {} else { effects.tasks.append(task) }
    }
    leave(running.entry)
  }

  mutating func removeSlotIfEmpty(_ id: WorkID) {
    if slots[id]?.isEmpty == true { slots[id] = nil }
  }

  mutating func cancel(_ id: WorkID) {
    guard slots[id] != nil else { return }
    stopWaiting(id)
    end(id, .cancelled)
    slots[id] = nil
  }

  /// Cancels all work, and forgets whom the results of writes are for; the writes go on.
  mutating func cancelAll() {
    for id in idsInOrder { cancel(id) }
    for entry in writes.values { abandon(entry) }
  }

  /// Does the same for the work of parts that have gone.
  mutating func cancelWork(ofParts gone: Set<[PartID]>) {
    // What a parent started goes on, even if it has a name inside the part.
    func isGone(_ entry: Entry?) -> Bool {
      entry?.job.parts.contains { gone.contains($0) } == true
    }
    for id in idsInOrder {
      if isGone(slots[id]?.waiting?.entry) || isGone(slots[id]?.running?.entry) { cancel(id) }
    }
    for entry in writes.values where isGone(entry) { abandon(entry) }
  }

  /// The names of the work that can be stopped, in the order in which it was started.
  var idsInOrder: [WorkID] {
    slots.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  mutating func suspend() {
    for id in idsInOrder {
      if let task = slots[id]?.waiting?.task { effects.tasks.append(task) }
      slots[id]?.waiting?.task = nil
      guard let running = slots[id]?.running, !running.entry.job.kind.continuesWhileSuspended
      else { continue }
      if let task = running.task {
        effects.tasks.append(task)
        note(id, .cancelled)
      }
      slots[id]?.running?.task = nil
      // The cancelled task may still deliver: it must not count.
      let generation = nextNumber()
      slots[id]?.running?.generation = generation
    }
  }

  // MARK: Writes

  mutating func add(write entry: Entry, _ task: Task<Void, Never>) {
    writes[entry.number] = entry
    queues[entry.id] = Queue(last: task, number: entry.number)
    note(entry.id, .started)
  }

  /// Forgets whom the result of a write is for; the write goes on.
  private mutating func abandon(_ entry: Entry) {
    writes[entry.number] = nil
    forget(entry)
  }

  /// Counts a write that has come to its end; returns it if its result is wanted.
  mutating func finishWrite(_ number: UInt64, _ id: WorkID, error: String?) -> Entry? {
    note(id, .finished(error: error))
    if queues[id]?.number == number { queues[id] = nil }
    working -= 1
    guard let entry = writes.removeValue(forKey: number) else { return nil }
    forget(entry)
    return entry
  }
}

extension [PartID] {
  /// The innermost of the parts.
  var part: PartID { self[count - 1] }

  /// The path without the innermost part's id, which all elements of one list have in common.
  var place: [PartID] {
    var place = self
    place[count - 1].element = nil
    return place
  }
}
