/// A piece of work that was started, and the events that wait for it.
struct Entry: Sendable {
  let job: any AnyJob
  /// The pending work of the event that caused this work; `nil` when no event did.
  let event: PendingWork?
  /// The pending work of other events that also wait for it.
  var joined: [PendingWork]
  /// A number that increases with each entry: work is resumed in the order in which it was started.
  let number: UInt64
  /// The name, which follows a part that changes its id.
  var id: WorkID
  /// The paths of the removable parts that contain the work.
  var parts: [[PartID]]

  /// Makes another event wait for this work; returns whether it did not already.
  mutating func join(_ waiting: PendingWork) -> Bool {
    guard job.kind.counts, event !== waiting, !joined.contains(where: { $0 === waiting }) else {
      return false
    }
    joined.append(waiting)
    return true
  }
}

/// The running and waiting work of a runner, by name.
///
/// It is independent of the type of the screen's state: not being generic makes it fast.
struct WorkTable {
  /// The work with one name.
  struct Slot {
    var waiting: Waiting?
    var running: Running?

    var isEmpty: Bool { waiting == nil && running == nil }
    var number: UInt64 { waiting?.entry.number ?? running?.entry.number ?? 0 }
  }

  /// A load or a timer whose delay has not passed.
  struct Waiting {
    var entry: Entry
    var due: Duration
    let generation: UInt64
    var task: Task<Void, Never>?
  }

  struct Running {
    var entry: Entry
    var generation: UInt64
    /// The task that runs the work; `nil` while it is suspended.
    var task: Task<Void, Never>?
  }

  /// The writes with one name that have not finished.
  struct Queue {
    /// The newest write's task, which waits for the earlier ones.
    let last: Task<Void, Never>
    let number: UInt64
  }

  /// The side effects to perform after the lock: cancelling a task and releasing a closure run
  /// other code, which may call the runner.
  struct Effects {
    /// The tasks to cancel.
    var tasks: [Task<Void, Never>] = []
    /// The entries to release.
    var entries: [Entry] = []
    /// The pending work of events, one element for each piece of work that ended.
    var events: [PendingWork] = []
    var routes: [any Route] = []
  }

  var slots: [WorkID: Slot] = [:]
  var queues: [WorkID: Queue] = [:]
  /// The writes whose results are still wanted.
  var writes: [UInt64: Entry] = [:]
  /// Whether a part has changed its id, so that work may have another name than its task knows.
  var hasMoved = false
  /// The number of pieces of work of each removable part, by the part's path without its id.
  var parts: [[PartID]: [PartID: Int]] = [:]
  private var lastNumber: UInt64 = 0
  /// The number of loads and writes that have not ended.
  private var working = 0
  /// The loads that ended without a result, and whose screens have not been told yet.
  private var cancelled: [Entry] = []
  /// The running loads that the state may no longer await, by their generations.
  private(set) var guarded: [(generation: UInt64, id: WorkID)] = []
  var effects = Effects()
  /// The steps to report to the observer; `nil` without an observer.
  var steps: [(id: WorkID, step: WorkStep, run: UInt64)]?

  var isWorking: Bool { working > 0 }

  /// Whether there is no work of any kind.
  var isEmpty: Bool { slots.isEmpty && working == 0 }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func note(_ id: WorkID, _ step: WorkStep, run: UInt64) {
    steps?.append((id, step, run))
  }

  /// Notes a step of a load that waits; nobody wants to hear of timers.
  mutating func note(_ entry: Entry, _ step: WorkStep) {
    if entry.job.kind.counts { note(entry.id, step, run: 0) }
  }

  mutating func takeEffects() -> Effects {
    defer { effects = Effects() }
    return effects
  }

  // MARK: Start and end

  mutating func enter(_ job: some AnyJob, for origin: Origin) -> Entry {
    let counts = job.kind.counts
    if counts {
      working += 1
      origin.work?.enter()
      for event in origin.joined { event.enter() }
    }
    for path in job.parts { parts[path.withoutElement, default: [:]][path.part, default: 0] += 1 }
    return Entry(
      job: job, event: counts ? origin.work : nil, joined: counts ? origin.joined : [],
      number: nextNumber(), id: job.id, parts: job.parts)
  }

  /// Removes work that finished, was replaced, was cancelled or did not meet its condition.
  mutating func leave(_ entry: Entry) {
    forget(entry)
    guard entry.job.kind.counts else { return }
    working -= 1
    if let event = entry.event { effects.events.append(event) }
    effects.events += entry.joined
  }

  private mutating func forget(_ entry: Entry) {
    for path in entry.parts {
      let list = path.withoutElement
      guard let count = parts[list]?[path.part] else { continue }
      parts[list]?[path.part] = count > 1 ? count - 1 : nil
      if parts[list]?.isEmpty == true { parts[list] = nil }
    }
    effects.entries.append(entry)
  }

  /// Returns whether a load with a name is running or waiting.
  func isLoading(_ id: WorkID) -> Bool {
    slots[id]?.running?.entry.job.kind.counts == true
      || slots[id]?.waiting?.entry.job.kind.counts == true
  }

  /// Makes another event wait for a load and for the work that its result starts.
  mutating func join(_ id: WorkID, _ event: PendingWork) {
    if slots[id]?.running?.entry.join(event) == true { event.enter() }
    if slots[id]?.waiting?.entry.join(event) == true { event.enter() }
  }

  // MARK: Loads, streams and timers

  /// Replaces the waiting work with a name; returns whether the new work needs a new task.
  mutating func wait(_ entry: Entry, for delay: Duration, until due: Duration) -> Bool {
    let id = entry.id
    note(entry, .waiting(delay: delay))
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

  /// Removes the waiting work with a name; returns whether there was one.
  @discardableResult
  mutating func stopWaiting(_ id: WorkID) -> Bool {
    guard let waiting = slots[id]?.waiting else { return false }
    slots[id]?.waiting = nil
    if let task = waiting.task { effects.tasks.append(task) }
    leave(waiting.entry)
    return true
  }

  /// Removes and returns the waiting work with a name.
  mutating func takeWaiting(_ id: WorkID) -> Entry? {
    defer { slots[id]?.waiting = nil }
    return slots[id]?.waiting?.entry
  }

  /// Makes an entry the running work with its name, replacing the earlier one.
  mutating func run(_ entry: Entry) {
    end(entry.id, .replaced, by: entry.job.kind)
    let generation = nextNumber()
    if entry.job.isGuarded { guarded.append((generation, entry.id)) }
    slots[entry.id, default: Slot()].running = Running(entry: entry, generation: generation)
  }

  /// Ends the running work with a name.
  ///
  /// - Parameter kind: The kind of work that replaces it.
  mutating func end(_ id: WorkID, _ step: WorkStep, by kind: WorkKind? = nil) {
    guard let running = slots[id]?.running else { return }
    slots[id]?.running = nil
    removeGuard(running)
    if running.entry.job.kind.isLoad {
      switch step {
      case .cancelled: cancelled.append(running.entry)
      case .replaced: if kind?.isLoad != true { cancelled.append(running.entry) }
      case .waiting, .skipped, .started, .finished: break
      }
    }
    // Work without a task is suspended, and was recorded as cancelled then.
    if let task = running.task {
      note(id, step, run: running.generation)
      if case .finished = step {} else { effects.tasks.append(task) }
    }
    leave(running.entry)
  }

  private mutating func removeGuard(_ running: Running) {
    guard running.entry.job.isGuarded,
      let index = guarded.lastIndex(where: { $0.generation == running.generation })
    else { return }
    guarded.swapAt(index, guarded.count - 1)
    guarded.removeLast()
  }

  mutating func moveGuarded(_ from: [PartID], _ to: [PartID]) {
    for index in guarded.indices { guarded[index].id = guarded[index].id.moved(from, to) }
  }

  /// Forgets to tell the screens of loads in a part that they were cancelled.
  mutating func forgetCancelled(of part: [PartID]) {
    cancelled.removeAll { $0.parts.contains(part) }
  }

  /// Returns the next load whose screen has to be told that it was cancelled.
  mutating func takeCancelled() -> Entry? {
    cancelled.isEmpty ? nil : cancelled.removeFirst()
  }

  /// Cancels the running work with a name, but not what waits to replace it.
  mutating func cancelRunning(_ id: WorkID) {
    end(id, .cancelled)
    removeSlotIfEmpty(id)
  }

  mutating func removeSlotIfEmpty(_ id: WorkID) {
    if slots[id]?.isEmpty == true { slots[id] = nil }
  }

  mutating func cancel(_ id: WorkID) {
    guard slots[id] != nil else { return }
    if let waiting = slots[id]?.waiting { note(waiting.entry, .cancelled) }
    stopWaiting(id)
    end(id, .cancelled)
    slots[id] = nil
  }

  /// Cancels all work except writes, whose results are then ignored.
  mutating func cancelAll() {
    for id in idsInOrder { cancel(id) }
    for entry in writes.values { abandon(entry) }
    // Nothing changes the state any more.
    cancelled = []
  }

  /// Cancels the work of removed parts except their writes, whose results are then ignored.
  mutating func cancelWork(ofParts gone: Set<[PartID]>) {
    // Work that the parent started continues, even if its name is inside the part.
    func isGone(_ entry: Entry?) -> Bool {
      entry?.parts.contains { gone.contains($0) } == true
    }
    for id in idsInOrder {
      if isGone(slots[id]?.waiting?.entry) || isGone(slots[id]?.running?.entry) { cancel(id) }
    }
    for entry in writes.values where isGone(entry) { abandon(entry) }
  }

  /// The names of all work except writes, in the order in which it was started.
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
        note(id, .cancelled, run: running.generation)
      }
      slots[id]?.running?.task = nil
      // The cancelled task may still deliver a result, which the new generation makes stale.
      let generation = nextNumber()
      slots[id]?.running?.generation = generation
      removeGuard(running)
      if running.entry.job.isGuarded { guarded.append((generation, id)) }
    }
  }

  // MARK: Writes

  mutating func add(write entry: Entry, _ task: Task<Void, Never>) {
    writes[entry.number] = entry
    queues[entry.id] = Queue(last: task, number: entry.number)
    note(entry.id, .started, run: entry.number)
  }

  /// Makes the result of a write ignored; the write itself continues.
  private mutating func abandon(_ entry: Entry) {
    writes[entry.number] = nil
    forget(entry)
  }

  /// Records the end of a write; returns its entry if its result is still wanted.
  mutating func finishWrite(_ number: UInt64, _ id: WorkID, error: String?) -> Entry? {
    let id = hasMoved ? queues.first { $0.value.number == number }?.key ?? id : id
    note(id, .finished(error: error), run: number)
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

  /// The path without the innermost part's id, which all elements of a list share.
  var withoutElement: [PartID] {
    var path = self
    path[count - 1].element = nil
    return path
  }
}
