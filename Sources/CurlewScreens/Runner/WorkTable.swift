import Synchronization

/// A piece of work that was started, and the events that wait for it.
struct Entry: Sendable {
  let job: any AnyJob
  /// The pending work of the events that wait for this work, such as the event that caused it.
  var waiters: [PendingWork]
  /// A number that increases with each entry: work is resumed in the order in which it was started.
  let number: UInt64
  /// The name, which changes when a part changes its id.
  var id: WorkID
  /// The paths of the removable parts that contain the work.
  var parts: [[PartID]]

  /// Makes another event wait for this work; returns whether the event was added.
  mutating func join(_ waiter: PendingWork) -> Bool {
    guard job.kind.counts, !waiters.contains(where: { $0 === waiter }) else { return false }
    waiters.append(waiter)
    return true
  }
}

/// The running and waiting work of a runner, by name.
///
/// It is independent of the screen's state type: non-generic code is faster.
struct WorkTable {
  /// A piece of work that waits or runs.
  struct Slot {
    var entry: Entry
    /// The time at which the delay of waiting work ends.
    var due = Duration.zero
    var generation: UInt64
    /// The task that waits or runs the work; `nil` while it is suspended.
    var task: WorkTask?
  }

  /// The side effects to perform after the lock has been released: cancelling a task and releasing a
  /// closure run other code, which may call the runner.
  struct Effects {
    var tasks: [WorkTask] = []
    var entries: [Entry] = []
    /// The pending work of events, one element for each piece of work that ended.
    var events: [PendingWork] = []
    var routes: [any Route] = []
    var calls: [@Sendable () -> Void] = []
  }

  /// The loads and timers whose delay has not passed.
  var waiting: [WorkID: Slot] = [:]
  var running: [WorkID: Slot] = [:]
  /// The newest unfinished write of each name, whose task waits for the earlier writes.
  var queues: [WorkID: (last: Task<Void, Never>, number: UInt64)] = [:]
  /// The writes whose results are still needed, by number.
  var writes: [UInt64: Entry] = [:]
  /// Whether a part has changed its id, so that work may have another name than its task has
  /// captured.
  var hasMoved = false
  /// The number of pieces of work of each removable part, by the part's path without its id.
  var parts: [[PartID]: [PartID: Int]] = [:]
  private var lastNumber: UInt64 = 0
  /// The number of loads and writes that have not ended.
  private var working = 0
  /// The loads that ended without a result, and whose `cancelled` closures have not been called yet.
  var cancelled: [Entry] = []
  /// The names of the running loads that the state may stop awaiting, and of some ended loads.
  var guarded: [WorkID] = []
  var effects = Effects()
  /// The steps and results to report to the observer; `nil` without an observer.
  var steps: [(id: WorkID, run: UInt64, Report)]?

  enum Report: Sendable {
    case step(WorkStep)
    case result(WorkResult)
  }

  var isWorking: Bool { working > 0 }

  /// Whether there is no work of any kind.
  var isEmpty: Bool { waiting.isEmpty && running.isEmpty && working == 0 }

  mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  mutating func record(_ id: WorkID, _ step: WorkStep, run: UInt64) {
    if !id.isOwn { steps?.append((id, run, .step(step))) }
  }

  mutating func record(_ id: WorkID, _ result: WorkResult?, run: UInt64) {
    if let result, !id.isOwn { steps?.append((id, run, .result(result))) }
  }

  /// Records a step of a waiting load; timers are not recorded.
  mutating func record(_ entry: Entry, _ step: WorkStep) {
    if entry.job.kind.counts { record(entry.id, step, run: 0) }
  }

  // MARK: Start and end

  mutating func add(_ job: some AnyJob, for origin: Origin) -> Entry {
    let counts = job.kind.counts
    if counts {
      working += 1
      for event in origin.waiters { event.begin() }
    }
    let parts = job.parts
    for path in parts { self.parts[path.withoutElement, default: [:]][path.part, default: 0] += 1 }
    return Entry(
      job: job, waiters: counts ? origin.waiters : [], number: nextNumber(), id: job.id,
      parts: parts)
  }

  /// Removes work that finished, was replaced, was cancelled or did not meet its condition.
  mutating func remove(_ entry: Entry) {
    forget(entry)
    entry.job.ticket?.end()
    guard entry.job.kind.counts else { return }
    working -= 1
    effects.events += entry.waiters
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
    [running[id], waiting[id]].contains { $0?.entry.job.kind.counts == true }
  }

  /// Makes another event wait for a load and for the work that its result starts.
  mutating func join(_ id: WorkID, _ event: PendingWork) {
    if running[id]?.entry.join(event) == true { event.begin() }
    if waiting[id]?.entry.join(event) == true { event.begin() }
  }

  // MARK: Loads, streams and timers

  /// Replaces the waiting work with a name; returns whether the new work needs a new task.
  mutating func wait(_ entry: Entry, for delay: Duration, until due: Duration) -> Bool {
    let id = entry.id
    record(entry, .waiting(delay: delay))
    if let slot = waiting[id], slot.due <= due {
      remove(slot.entry)
      waiting[id]?.entry = entry
      waiting[id]?.due = due
      return false
    }
    stopWaiting(id)
    waiting[id] = Slot(entry: entry, due: due, generation: nextNumber())
    return true
  }

  /// Removes the waiting work with a name; returns whether work was waiting.
  @discardableResult
  mutating func stopWaiting(_ id: WorkID) -> Bool {
    guard let slot = waiting.removeValue(forKey: id) else { return false }
    if let task = slot.task { effects.tasks.append(task) }
    remove(slot.entry)
    return true
  }

  /// Makes an entry the running work with its name, replacing earlier work.
  mutating func run(_ entry: Entry) {
    end(entry.id, .replaced, by: entry.job.kind)
    if entry.job.isGuarded, !guarded.contains(entry.id) { guarded.append(entry.id) }
    running[entry.id] = Slot(entry: entry, generation: nextNumber())
  }

  /// Ends the running work with a name.
  ///
  /// - Parameter kind: The kind of the replacing work; `nil` when the work is not replaced.
  mutating func end(_ id: WorkID, _ step: WorkStep, by kind: WorkKind? = nil) {
    guard let slot = running.removeValue(forKey: id) else { return }
    if slot.entry.job.kind == .load, step == .cancelled || step == .replaced && kind != .load {
      cancelled.append(slot.entry)
    }
    // Work without a task is suspended, and was recorded as cancelled then.
    if let task = slot.task {
      record(id, step, run: slot.generation)
      if case .finished = step {} else { effects.tasks.append(task) }
    }
    remove(slot.entry)
  }

  mutating func cancel(_ id: WorkID) {
    if let slot = waiting[id] { record(slot.entry, .cancelled) }
    stopWaiting(id)
    end(id, .cancelled)
  }

  /// Cancels all work except writes, whose results are then ignored.
  mutating func cancelAll() {
    for id in idsInOrder { cancel(id) }
    for entry in writes.values { dropResult(of: entry) }
    // Nothing changes the state any more.
    cancelled = []
  }

  /// Cancels the work of removed parts except their writes, whose results are then ignored.
  mutating func cancelWork(ofParts removed: Set<[PartID]>) {
    // Work that the parent started continues, even if its name is inside the part.
    func isRemoved(_ entry: Entry?) -> Bool {
      entry?.parts.contains { removed.contains($0) } == true
    }
    for id in idsInOrder where isRemoved(waiting[id]?.entry) || isRemoved(running[id]?.entry) {
      cancel(id)
    }
    for entry in writes.values where isRemoved(entry) { dropResult(of: entry) }
  }

  /// The names of all work except writes, in the order in which it was started.
  var idsInOrder: [WorkID] {
    running.merging(waiting) { $1 }.values.map(\.entry).sorted { $0.number < $1.number }.map(\.id)
  }

  mutating func suspend() {
    for id in idsInOrder {
      if let task = waiting[id]?.task { effects.tasks.append(task) }
      waiting[id]?.task = nil
      guard let slot = running[id],
        slot.entry.job.kind != .stream(continuesWhileSuspended: true)
      else { continue }
      if let task = slot.task {
        effects.tasks.append(task)
        record(id, .cancelled, run: slot.generation)
      }
      running[id]?.task = nil
      // The cancelled task may still deliver a result, which the new generation makes stale.
      let generation = nextNumber()
      running[id]?.generation = generation
    }
  }

  // MARK: Writes

  mutating func add(write entry: Entry, _ task: Task<Void, Never>) {
    writes[entry.number] = entry
    queues[entry.id] = (task, entry.number)
    record(entry.id, .started, run: entry.number)
  }

  /// Ignores the result of a write; the write itself continues.
  private mutating func dropResult(of entry: Entry) {
    writes[entry.number] = nil
    forget(entry)
  }

  /// Records the end of a write; returns its entry if its result is still needed.
  mutating func finishWrite(
    _ number: UInt64, _ id: WorkID, _ result: WorkResult?, error: String?
  ) -> Entry? {
    let id = hasMoved ? queues.first { $0.value.number == number }?.key ?? id : id
    record(id, result, run: number)
    record(id, .finished(error: error), run: number)
    if queues[id]?.number == number { queues[id] = nil }
    working -= 1
    guard let entry = writes.removeValue(forKey: number) else { return nil }
    forget(entry)
    return entry
  }
}

/// A task that is started after the runner's lock has been released: a task that finishes at once would wait for the lock.
final class WorkTask: Sendable {
  private let state = Mutex((task: Task<Void, Never>?.none, isCancelled: false))

  /// Stores the task that was started; cancels it if its work has ended meanwhile.
  func store(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
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
