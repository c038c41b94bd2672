import CurlewSupport

extension Runner {
  /// Starts work whose delay has passed, if its condition holds.
  ///
  /// - Parameter hasWaited: Whether this or earlier work with the name has waited for it.
  func begin(
    _ entry: Entry, _ storage: inout RunnerStorage<S.State>, hasWaited: Bool
  ) -> [Work<S.State>.Command] {
    let (job, id) = (job(of: entry), entry.id)
    defer { storage.work.removeSlotIfEmpty(id) }
    guard job.condition(storage.state) else {
      if hasWaited { storage.work.note(entry, .skipped) }
      storage.work.leave(entry)
      return []
    }
    var work = Work<S.State>(now: clock.now)
    if case .timer = job.kind {
      storage.work.end(id, .replaced, by: .timer)
      storage.work.leave(entry)
      tellCancelled(&storage)
      job.started(&storage.state, &work)
    } else {
      storage.work.run(entry)
      tellCancelled(&storage)
      job.started(&storage.state, &work)
      if job.isAwaited?(storage.state) == false {
        // It waited for too long, or nothing has asked for it.
        storage.work.cancelRunning(id)
        tellCancelled(&storage)
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
  /// - Returns: What its change of the state adds, such as that its part has another id.
  func write(
    _ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [Work<S.State>.Command] {
    let (id, number, run) = (entry.id, entry.number, job.run)
    let (previous, writes) = (storage.work.queues[id]?.last, writes)
    let waiting = (entry.event.map { [$0] } ?? []) + entry.joined + [writes]
    writes.enter()
    // Called before the task is created, because the task may run immediately.
    var work = Work<S.State>(now: clock.now)
    job.started(&storage.state, &work)
    let task = task(of: id, run: number) { [weak self] _ in
      await previous?.value
      let outcome = await run { _ in false }
      if let self {
        complete(write: number, id, outcome, waiting)
      } else {
        for event in waiting { event.leave() }
      }
    }
    storage.work.add(write: entry, task)
    return work.commands
  }

  /// Returns the job of an entry; all entries of a runner have jobs of its own state type.
  func job(of entry: Entry) -> Job<S.State> {
    unsafeDowncast(entry.job, to: Job<S.State>.self)
  }

  /// Starts the missing tasks of the work with a name.
  ///
  /// The tasks retain the runner only while they report to it, so releasing a runner ends its work.
  func startTasks(_ id: WorkID, _ storage: inout RunnerStorage<S.State>) {
    guard !storage.isSuspended else { return }
    if let running = storage.work.slots[id]?.running, running.task == nil {
      let (run, generation) = (job(of: running.entry).run, running.generation)
      let emit: @Sendable (@escaping Job<S.State>.Change) -> Bool = { [weak self] change in
        self?.emit(id, generation, change) ?? false
      }
      storage.work.note(id, .started, run: generation)
      storage.work.slots[id]?.running?.task = task(of: id, run: generation) { [weak self] _ in
        let outcome = await run(emit)
        self?.complete(id, generation, outcome)
      }
    }
    if let waiting = storage.work.slots[id]?.waiting, waiting.task == nil {
      let generation = waiting.generation
      storage.work.slots[id]?.waiting?.task = executor.task { [weak self, clock] _ in
        // Newer work postpones the due time instead of starting another task.
        while let due = self?.due(id, generation) {
          try? await clock.sleep(until: due)
          if Task.isCancelled { return }
        }
      }
    }
  }

  /// Starts the task of a piece of work, on whose behalf its requests are made.
  private func task(
    of id: WorkID, run: UInt64, _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    let (name, screen) = id.unwrapped(from: S.self)
    let initiator = Initiator(name, of: screen, run: listener.map { .init(run, $0) })
    return Initiator.$current.withValue(initiator) { executor.task(body) }
  }

  /// Begins the waiting work if it is due; otherwise returns the time when it will be.
  private func due(_ id: WorkID, _ generation: UInt64) -> Duration? {
    var due: Duration?
    change { storage, work, origin in
      guard let id = storage.work.waiting(id, generation),
        let waiting = storage.work.slots[id]?.waiting
      else { return }
      if waiting.due > clock.now {
        due = waiting.due
      } else if let entry = storage.work.takeWaiting(id) {
        origin = .result(of: entry)
        work.add(begin(entry, &storage, hasWaited: true))
      }
    }
    return due
  }

  /// Applies the change of a value that a stream or a load delivers, if it is still current; returns
  /// whether it is.
  private func emit(
    _ id: WorkID, _ generation: UInt64, _ apply: Job<S.State>.Change
  ) -> Bool {
    var isCurrent = false
    // What a value starts is not part of a refresh that brought it.
    Reload.$isRequested.withValue(false) {
      _ = change { storage, work, origin in
        guard let id = storage.work.running(id, generation),
          let running = storage.work.slots[id]?.running
        else { return }
        isCurrent = true
        origin = .result(of: running.entry)
        apply(&storage.state, &work)
      }
    }
    return isCurrent
  }

  /// Applies the change of finished work, if the work was not replaced meanwhile.
  private func complete(
    _ id: WorkID, _ generation: UInt64, _ outcome: Job<S.State>.Outcome
  ) {
    let error = observer == nil ? nil : outcome.errorText
    change { storage, work, origin in
      guard let id = storage.work.running(id, generation),
        let running = storage.work.slots[id]?.running
      else { return }
      origin = .result(of: running.entry)
      storage.work.end(id, .finished(error: error))
      storage.work.removeSlotIfEmpty(id)
      outcome.change(&storage.state, &work)
    }
  }

  /// Applies the change of a finished write, if its part has not been removed and its runner has
  /// not been stopped.
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

extension WorkID {
  /// Returns the name without the screens that only wrap another one, and the screen that they wrap.
  package func unwrapped(from screen: Any.Type) -> (name: WorkID, screen: Any.Type) {
    var (name, screen) = (self, screen)
    while let wrapper = screen as? any WrappingScreen.Type, !name.parts.isEmpty {
      name.parts.removeFirst()
      screen = wrapper.wrapped
    }
    return (name, screen)
  }
}

extension Job.Outcome {
  fileprivate var errorText: String? { error.map { "\($0)" } }
}

extension Runner.Executor {
  /// Starts a task whose body returns to this executor after each `await`.
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
