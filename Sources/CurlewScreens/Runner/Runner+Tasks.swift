import CurlewSupport

extension Runner {
  /// Starts work whose delay has passed, if its condition holds.
  ///
  /// - Parameter hasWaited: Whether this work, or earlier work with the same name, has waited for
  ///   its delay.
  func begin(
    _ entry: Entry, _ storage: inout RunnerStorage<S.State>, hasWaited: Bool
  ) -> [WorkCommand] {
    let (job, id) = (Job<S.State>.of(entry.job), entry.id)
    guard job.condition(storage.state) else {
      if hasWaited { storage.work.record(entry, .skipped) }
      storage.work.remove(entry)
      return []
    }
    var work = Work<S.State>(now: clock.now)
    if job.kind == .timer {
      storage.work.end(id, .replaced, by: .timer)
      storage.work.remove(entry)
      deliverCancellations(&storage)
      job.started(&storage.state, &work)
    } else {
      storage.work.run(entry)
      #if DEBUG
        storage.beginning.append(entry)
      #endif
      deliverCancellations(&storage)
      job.started(&storage.state, &work)
      if job.isAwaited?(storage.state) == false {
        // The state no longer awaits the work, or never did.
        storage.work.end(id, .cancelled)
        deliverCancellations(&storage)
      } else {
        storage.starting.append(id)
      }
    }
    return work.commands
  }

  /// Starts a write after the unfinished writes with the same name.
  ///
  /// Its task is never cancelled and does not need the runner, so the write finishes even after the
  /// runner has been deallocated.
  ///
  /// - Returns: The commands that the write's `started` closure adds, such as the move of a part to
  ///   another id.
  func write(
    _ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [WorkCommand] {
    let (id, number, run) = (entry.id, entry.number, job.run)
    let (previous, writes) = (job.isQueued ? storage.work.queues[id]?.last : nil, writes)
    let waiting = entry.waiters + [writes]
    writes.begin()
    // Called before the task is created, because the task may run immediately.
    var work = Work<S.State>(now: clock.now)
    job.started(&storage.state, &work)
    #if DEBUG
      storage.beginning.append(entry)
    #endif
    let task = task(of: id, run: number) { [weak self] _ in
      await previous?.value
      let outcome = await run { _, _ in false }
      if let self {
        complete(write: number, id, outcome, waiting)
      } else {
        for event in waiting { event.end() }
      }
    }
    storage.work.add(write: entry, task)
    return work.commands
  }

  /// A task to start after the lock has been released.
  typealias TaskStart = (task: WorkTask, make: @Sendable () -> Task<Void, Never>)

  /// Returns the missing tasks of the work with a name.
  ///
  /// The tasks retain the runner only while they report to it, so releasing a runner ends its work.
  func missingTasks(_ id: WorkID, _ storage: inout RunnerStorage<S.State>) -> [TaskStart] {
    guard !storage.isSuspended else { return [] }
    var starts: [TaskStart] = []
    if let slot = storage.work.running[id], slot.task == nil {
      let (job, generation) = (Job<S.State>.of(slot.entry.job), slot.generation)
      let (run, isReload) = (job.run, job.reloads ? Reload.isRequested : nil)
      let emit: Job<S.State>.Emit = { [weak self] value, change in
        // Work that a value starts is not part of the refresh that delivered the value.
        Reload.$isRequested.withValue(false) {
          self?.apply(change, value.map { .success($0) }, of: id, generation) ?? false
        }
      }
      storage.work.record(id, .started, run: generation)
      @Sendable func start() -> Task<Void, Never> {
        task(of: id, run: generation) { [weak self] _ in
          // Replaced in the same turn of its actor.
          if Task.isCancelled { return }
          let outcome = await run(emit)
          guard let self else { return }
          let end = WorkStep.finished(error: text(of: outcome))
          guard let isReload else {
            apply(outcome.change, outcome.result, of: id, generation, ending: end)
            return
          }
          // Nor is work that the result starts.
          Reload.$isRequested.withValue(isReload) {
            _ = apply(outcome.change, outcome.result, of: id, generation, ending: end)
          }
        }
      }
      // Not set around `run`, which would then leave the actor.
      let work = WorkTask()
      storage.work.running[id]?.task = work
      starts.append(
        (
          work,
          { isReload == nil ? start() : Reload.$isRequested.withValue(true, operation: start) }
        ))
    }
    if let slot = storage.work.waiting[id], slot.task == nil {
      let generation = slot.generation
      let work = WorkTask()
      storage.work.waiting[id]?.task = work
      let sleep: @Sendable (isolated (any Actor)?) async -> Void = { [weak self, clock] _ in
        // Newer work postpones the due time instead of starting another task.
        while let due = self?.due(id, generation) {
          try? await clock.sleep(until: due)
          if Task.isCancelled { return }
        }
      }
      starts.append((work, { [executor] in executor.task(sleep) }))
    }
    return starts
  }

  /// Starts the task of a piece of work, as the initiator of the task's requests.
  private func task(
    of id: WorkID, run: UInt64, _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    let initiator = Initiator(id, of: S.self, run: listener.map { .init(run, $0) })
    return Initiator.$current.withValue(initiator) { executor.task(body) }
  }

  /// Begins the waiting work if it is due; otherwise returns its due time.
  private func due(_ id: WorkID, _ generation: UInt64) -> Duration? {
    var due: Duration?
    change { storage, work, origin in
      guard let slot = storage.work.slot(of: id, generation, in: storage.work.waiting) else {
        return
      }
      if slot.due > clock.now {
        due = slot.due
      } else {
        storage.work.waiting[slot.entry.id] = nil
        origin.waiters = slot.entry.waiters
        work.commands += begin(slot.entry, &storage, hasWaited: true)
      }
    }
    return due
  }

  /// Applies a change of running work, unless the work was replaced or cancelled; returns whether
  /// the change was applied.
  ///
  /// - Parameters:
  ///   - result: The value, or the result, that causes the change.
  ///   - step: The end of the work, if it has finished.
  @discardableResult
  private func apply(
    _ body: Job<S.State>.Change, _ result: WorkResult?, of id: WorkID, _ generation: UInt64,
    ending step: WorkStep? = nil
  ) -> Bool {
    var isCurrent = false
    change { storage, work, origin in
      guard let slot = storage.work.slot(of: id, generation, in: storage.work.running) else {
        return
      }
      isCurrent = true
      origin.waiters = slot.entry.waiters
      storage.work.record(slot.entry.id, result, run: generation)
      if let step { storage.work.end(slot.entry.id, step) }
      deliver(to: slot.entry, body, &storage, &work)
    }
    return isCurrent
  }

  /// Returns an error's text for the observer, computed without holding the lock.
  private func text(of outcome: Job<S.State>.Outcome) -> String? {
    if observer != nil, case .failure(let error) = outcome.result { "\(error)" } else { nil }
  }

  /// Changes the state with a value or the result of a piece of work.
  private func deliver(
    to entry: Entry, _ change: Job<S.State>.Change, _ storage: inout RunnerStorage<S.State>,
    _ work: inout Work<S.State>
  ) {
    #if DEBUG
      reportIgnoredResult(of: entry, &storage) { change(&$0, &work) }
    #else
      change(&storage.state, &work)
    #endif
  }

  /// Applies the change of a finished write, if its part has not been removed and its runner has
  /// not been stopped.
  private func complete(
    write number: UInt64, _ id: WorkID, _ outcome: Job<S.State>.Outcome,
    _ waiting: [PendingWork]
  ) {
    let error = text(of: outcome)
    change { storage, work, origin in
      storage.work.effects.events += waiting
      guard let entry = storage.work.finishWrite(number, id, outcome.result, error: error) else {
        return
      }
      origin.waiters = entry.waiters
      deliver(to: entry, outcome.change, &storage, &work)
    }
  }
}

extension Runner.Executor {
  /// Starts a task whose body returns to this executor after each `await`.
  fileprivate func task(
    _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    switch self {
    case .anywhere: WorkExecutor.task { await body(nil) }
    case .mainActor: Task { @MainActor in await body(MainActor.shared) }
    case .custom(let executor):
      WorkExecutor.$current.withValue(executor) {
        Task(executorPreference: executor) { await body(nil) }
      }
    }
  }
}
