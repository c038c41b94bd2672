/// What a runner keeps under its lock.
struct Core<State: Equatable & Sendable> {
  /// The work under one name: what runs, and what waits to replace it.
  struct Slot {
    let id: WorkID
    var waiting: Waiting?
    var running: Running?

    /// Whether nothing but a timer is here.
    var isTimer: Bool { running?.job.isTimer ?? true && waiting?.job.isTimer ?? true }

    mutating func stopWaiting() {
      waiting?.task?.cancel()
      waiting = nil
    }
  }

  struct Waiting {
    var job: Job<State>
    var due: Duration
    let generation: UInt64
    var task: Task<Void, Never>?
  }

  struct Running {
    let job: Job<State>
    var generation: UInt64
    var task: Task<Void, Never>?
  }

  var state: State
  private var generation: UInt64 = 0
  var slots: [Slot] = []
  var isStopped = false
  var isSuspended = false
  /// No more events will come.
  var isFinished = false

  init(_ state: State) {
    self.state = state
  }

  var isWorking: Bool { slots.contains { !$0.isTimer } }

  /// Whether nothing can change the state any more.
  var isOver: Bool { isStopped || (isFinished && slots.isEmpty) }

  // MARK: Work

  mutating func slot(for id: WorkID) -> Int {
    if let index = slots.firstIndex(where: { $0.id == id }) { return index }
    slots.append(Slot(id: id))
    return slots.count - 1
  }

  mutating func removeSlotIfIdle(at index: Int) {
    if slots[index].waiting == nil, slots[index].running == nil { slots.remove(at: index) }
  }

  /// Lets work wait in the place of what waited before; returns whether that needs a new task.
  mutating func wait(_ job: Job<State>, until due: Duration, at index: Int) -> Bool {
    if let waiting = slots[index].waiting, waiting.due <= due {
      slots[index].waiting?.job = job
      slots[index].waiting?.due = due
      return false
    }
    slots[index].stopWaiting()
    slots[index].waiting = Waiting(job: job, due: due, generation: nextGeneration())
    return true
  }

  /// Replaces the running work of a slot.
  mutating func run(_ job: Job<State>, at index: Int) {
    slots[index].running?.task?.cancel()
    slots[index].running = Running(job: job, generation: nextGeneration())
  }

  mutating func cancel(_ id: WorkID) {
    guard let index = slots.firstIndex(where: { $0.id == id }) else { return }
    slots[index].stopWaiting()
    slots[index].running?.task?.cancel()
    slots.remove(at: index)
  }

  mutating func cancelAll() {
    for slot in slots {
      slot.waiting?.task?.cancel()
      slot.running?.task?.cancel()
    }
    slots = []
  }

  mutating func suspend() {
    isSuspended = true
    for index in slots.indices {
      // The cancelled task may still reply: it must not count.
      let newGeneration = nextGeneration()
      slots[index].waiting?.task?.cancel()
      slots[index].waiting?.task = nil
      slots[index].running?.task?.cancel()
      slots[index].running?.task = nil
      slots[index].running?.generation = newGeneration
    }
  }

  /// Returns the slots whose tasks have to be started again.
  mutating func resume() -> Range<Int> {
    isSuspended = false
    return slots.indices
  }

  private mutating func nextGeneration() -> UInt64 {
    generation += 1
    return generation
  }
}
