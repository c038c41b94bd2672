extension Runner {
  /// Starts work whose wait is over, unless it is not wanted any more.
  func begin(
    _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [Work<S.State>.Command] {
    let (job, id) = (job(of: entry), entry.id)
    defer { storage.work.removeSlotIfEmpty(id) }
    guard job.condition(storage.state) else {
      storage.work.leave(entry)
      return []
    }
    var work = Work<S.State>(now: clock.now)
    if case .timer = job.kind {
      storage.work.end(id, .replaced)
      storage.work.leave(entry)
      job.started(&storage.state, &work)
    } else {
      storage.work.run(entry)
      job.started(&storage.state, &work)
      startTasks(id, &storage)
    }
    return work.commands
  }

  /// Starts a write behind those with the same name.
  ///
  /// Its task is cancelled by nobody and needs no runner: what is written goes on without one.
  func write(_ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>) {
    let (id, number, run) = (entry.id, entry.number, job.run)
    let (previous, writes) = (storage.work.queues[id]?.last, writes)
    let waiting = (entry.event.map { [$0] } ?? []) + entry.joined + [writes]
    writes.enter()
    // Before the task, which may run at once.
    var work = Work<S.State>(now: clock.now)
    job.started(&storage.state, &work)
    let task = executor.task { [weak self] _ in
      await previous?.value
      let outcome = await run { _ in false }
      if let self {
        complete(write: number, id, outcome, waiting)
      } else {
        for event in waiting { event.leave() }
      }
    }
    storage.work.add(write: entry, task)
  }

  /// The job of an entry: all of a runner's are of its own state.
  private func job(of entry: Entry) -> Job<S.State> {
    unsafeDowncast(entry.job, to: Job<S.State>.self)
  }

  /// Starts the tasks that the work with a name needs and does not have yet.
  ///
  /// They hold the runner only while they report to it, so that dropping a runner ends its work.
  func startTasks(_ id: WorkID, _ storage: inout RunnerStorage<S.State>) {
    guard !storage.isSuspended else { return }
    if let running = storage.work.slots[id]?.running, running.task == nil {
      let (run, generation) = (job(of: running.entry).run, running.generation)
      let emit: @Sendable (@escaping Job<S.State>.Change) -> Bool = { [weak self] change in
        self?.emit(id, generation, change) ?? false
      }
      storage.work.note(id, .started)
      storage.work.slots[id]?.running?.task = executor.task { [weak self] _ in
        let outcome = await run(emit)
        self?.complete(id, generation, outcome)
      }
    }
    if let waiting = storage.work.slots[id]?.waiting, waiting.task == nil {
      let generation = waiting.generation
      storage.work.slots[id]?.waiting?.task = executor.task { [weak self, clock] _ in
        // Newer work moves the moment on instead of starting another task.
        while let due = self?.due(id, generation) {
          try? await clock.sleep(until: due)
          if Task.isCancelled { return }
        }
      }
    }
  }

  /// Begins the work that waits if its moment has come; else returns that moment.
  private func due(_ id: WorkID, _ generation: UInt64) -> Duration? {
    var due: Duration?
    change { storage, work, origin in
      guard let waiting = storage.work.slots[id]?.waiting, waiting.generation == generation else {
        return
      }
      if waiting.due > clock.now {
        due = waiting.due
      } else if let entry = storage.work.takeWaiting(id) {
        origin = .result(of: entry)
        work.add(begin(entry, &storage))
      }
    }
    return due
  }

  /// Applies what a stream's element changes; returns whether the stream still counts.
  private func emit(
    _ id: WorkID, _ generation: UInt64, _ apply: Job<S.State>.Change
  ) -> Bool {
    var counts = false
    change { storage, work, _ in
      counts = storage.work.slots[id]?.running?.generation == generation
      if counts { apply(&storage.state, &work) }
    }
    return counts
  }

  /// Applies what finished work changes, if it was not replaced meanwhile.
  private func complete(
    _ id: WorkID, _ generation: UInt64, _ outcome: Job<S.State>.Outcome
  ) {
    let error = observer == nil ? nil : outcome.errorText
    change { storage, work, origin in
      guard let running = storage.work.slots[id]?.running, running.generation == generation
      else { return }
      origin = .result(of: running.entry)
      storage.work.end(id, .finished(error: error))
      storage.work.removeSlotIfEmpty(id)
      outcome.change(&storage.state, &work)
    }
  }

  /// Applies what a finished write changes, if its part and its runner are still there.
  private func complete(
    write number: UInt64, _ id: WorkID, _ outcome: Job<S.State>.Outcome,
    _ waiting: [PendingWork]
  ) {
    let error = observer == nil ? nil : outcome.errorText
    change { storage, work, origin in
      storage.work.effects.events += waiting
      guard let entry = storage.work.finishWrite(number, id, error: error) else { return }
      origin = .result(of: entry)
      outcome.change(&storage.state, &work)
    }
  }
}

extension Job.Outcome {
  fileprivate var errorText: String? { error.map { "\($0)" } }
}

extension Runner.Executor {
  /// Starts a task whose body comes back to this executor after each `await`.
  fileprivate func task(
    _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    switch self {
    case .anywhere: Task { @concurrent in await body(nil) }
    case .mainActor: Task { @MainActor in await body(MainActor.shared) }
    case .custom(let executor): Task(executorPreference: executor) { await body(nil) }
    }
  }
}
