extension Runner {
  /// Applies one change: starts the work that it adds, and delivers the new state.
  @discardableResult
  func change(
    of origin: Origin = .nobody, event: S.Event? = nil,
    _ body: (inout RunnerStorage<S.State>, inout Work<S.State>, inout Origin) -> Void
  ) -> Origin {
    var origin = origin
    // Returns the earlier states so that they are released after the lock.
    let (changes, effects, before, passed, woken) = withStorage { storage in
      let (before, wasWorking) = (storage.state, storage.work.isWorking)
      var work = Work<S.State>(now: clock.now)
      body(&storage, &work, &origin)
      perform(work, &storage, &origin)
      cancelWorkOfRemovedParts(since: before, &storage)
      settle(&storage, since: before, &origin)
      // Now that it is certain that none of them has been cancelled.
      for id in storage.starting { startTasks(id, &storage) }
      storage.starting = []
      var changes: RunnerChange = []
      if storage.state != before { changes.insert(.state) }
      if storage.work.isWorking != wasWorking { changes.insert(.work) }
      deliver(event, changes, &storage)
      var woken = ChangeSignal.Woken.nobody
      if changes.contains(.state) { woken.add(stateChanges.publish()) }
      if changes.contains(.work) { woken.add(workChanges.publish()) }
      if storage.hasEnded { woken.add(stateChanges.end()) }
      defer { storage.passed = [] }
      return (changes, storage.work.takeEffects(), before, storage.passed, woken)
    }
    withExtendedLifetime((before, passed)) {}
    woken.resume()
    if !changes.isEmpty { onChange?(changes) }
    finish(effects)
    #if DEBUG
      if !changes.isEmpty { checkLoads() }
    #endif
    return origin
  }

  /// Changes the runner's work without changing the screen's state.
  func conclude(_ body: (inout RunnerStorage<S.State>) -> Void) {
    let (effects, woken) = withStorage { storage in
      let wasWorking = storage.work.isWorking
      body(&storage)
      deliver(nil, [], &storage)
      let hasChanged = storage.work.isWorking != wasWorking
      return (storage.work.takeEffects(), hasChanged ? workChanges.publish() : .nobody)
    }
    woken.resume()
    finish(effects)
  }

  /// Performs the effects that call code outside the runner; must be called without the lock.
  func finish(_ effects: WorkTable.Effects) {
    for task in effects.tasks { task.cancel() }
    if deliveries.deliver() { workChanges.publish().resume() }
  }

  /// Queues the calls to make after the lock: first to the observer, then to the navigator, then to
  /// the waiters of an event, so that a waiter resumes after everything that the event caused.
  private func deliver(
    _ event: S.Event?, _ changes: RunnerChange, _ storage: inout RunnerStorage<S.State>
  ) {
    if let observer, let steps = storage.work.steps {
      storage.work.steps = []
      let now = clock.now
      var records: [RunnerRecord<S>] = event.map { [.event($0)] } ?? []
      records += steps.map { .work($0.id, $0.step, run: $0.run) }
      if changes.contains(.state) { records.append(.state(storage.state)) }
      if !records.isEmpty {
        deliveries.add { [records] in for record in records { observer(now, record) } }
      }
    }
    let (routes, events) = (storage.work.effects.routes, storage.work.effects.events)
    if let navigator, !routes.isEmpty {
      deliveries.add { for route in routes { navigator.go(to: route) } }
    }
    if !events.isEmpty { deliveries.add { for event in events { event.leave() } } }
  }

  /// The longest delay, a hundred years: with much longer ones, the system's clocks overflow.
  private static var longestDelay: Duration { .seconds(100 * 365 * 86_400) }

  /// The maximum number of successive state changes made by `stateDidChange`; beyond it, the
  /// process stops with a message.
  private static var roundLimit: Int { 100 }

  /// Calls `stateDidChange` of the screen and its parts until the state no longer changes.
  private func settle(
    _ storage: inout RunnerStorage<S.State>, since before: S.State, _ origin: inout Origin
  ) {
    var followed = before
    var rounds = 0
    while storage.state != followed {
      let last = followed
      if rounds > 0 { storage.passed.append(last) }
      cancelUnawaited(&storage)
      followed = storage.state
      var work = Work<S.State>(now: clock.now)
      (work.moves, storage.moves) = (storage.moves, [])
      let changed = parts.filter { $0.follow(last, &storage.state, &work) }
      screen.stateDidChange(&storage.state, &work)
      perform(work, &storage, &origin)
      cancelWorkOfRemovedParts(since: followed, &storage)
      rounds += 1
      // A state that is not equal to itself, such as one that contains a NaN, would loop forever.
      if rounds > 1, storage.state != storage.state { return }
      if rounds > Self.roundLimit {
        let names = changed.map { "\($0.id)" }.joined(separator: ", ")
        fatalError(
          "\(S.self) never rests: its stateDidChange\(names.isEmpty ? "" : ", or that of \(names),") changes the state each time that it is called."
        )
      }
    }
  }

  private func cancelWorkOfRemovedParts(
    since before: S.State, _ storage: inout RunnerStorage<S.State>
  ) {
    storage.cancelWorkOfRemovedParts(since: before)
    tellCancelled(&storage)
  }

  /// Cancels the loads whose results the state no longer awaits.
  private func cancelUnawaited(_ storage: inout RunnerStorage<S.State>) {
    guard !storage.work.guarded.isEmpty else { return }
    for (generation, id) in storage.work.guarded {
      guard let id = storage.work.running(id, generation),
        let entry = storage.work.slots[id]?.running?.entry,
        job(of: entry).isAwaited?(storage.state) == false
      else { continue }
      storage.work.cancelRunning(id)
    }
    tellCancelled(&storage)
  }

  /// Tells the screen which of its loads have ended without a result.
  func tellCancelled(_ storage: inout RunnerStorage<S.State>) {
    while let entry = storage.work.takeCancelled() { job(of: entry).cancelled(&storage.state) }
  }

  private func perform(
    _ work: Work<S.State>, _ storage: inout RunnerStorage<S.State>, _ origin: inout Origin
  ) {
    var cancelled: [WorkID: Int] = [:]
    for index in work.commands.indices {
      if case .cancel(let id) = work.commands[index] { cancelled[id] = index }
    }
    for index in work.commands.indices {
      let command = work.commands[index]
      // Work that the same change cancels later is not started: its end would never be recorded.
      if !cancelled.isEmpty, case .start(let job) = command, !job.kind.isWrite,
        index < cancelled[job.id] ?? 0
      {
        // The event that started it may have changed the state already.
        if job.delay <= .zero { job.cancelled(&storage.state) }
        continue
      }
      perform(command, &storage, &origin, depth: 0)
      tellCancelled(&storage)
    }
  }

  private func perform(
    _ command: Work<S.State>.Command, _ storage: inout RunnerStorage<S.State>,
    _ origin: inout Origin,
    depth: Int
  ) {
    switch command {
    case .cancel(let id): storage.work.cancel(id)
    case .join(let id):
      guard storage.work.isLoading(id) else { return }
      origin.prepare()
      for event in (origin.work.map { [$0] } ?? []) + origin.joined { storage.work.join(id, event) }
    case .go(let route): storage.work.effects.routes.append(route)
    case .move(let move): storage.move(move)
    case .start(let job):
      if depth > Self.roundLimit {
        fatalError("\(S.self) never rests: its timer \(job.id) without a delay starts another.")
      }
      #if DEBUG
        if let problem = problem(of: job) { ScreenErrors.report(problem) }
      #endif
      if job.kind.counts { origin.prepare() }
      let more = start(job, storage.enter(job, for: origin), &storage)
      // Only a timer without a delay adds work immediately; no event waits for that work.
      var timer = Origin.nobody
      for command in more { perform(command, &storage, &timer, depth: depth + 1) }
    }
  }

  /// Starts work, now or after its delay; returns the work that a timer without a delay adds.
  private func start(
    _ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [Work<S.State>.Command] {
    if case .write = job.kind {
      return write(job, entry, &storage)
    } else if job.delay <= .zero {
      return begin(entry, &storage, hasWaited: storage.work.stopWaiting(job.id))
    } else if storage.work.wait(
      entry, for: job.delay, until: clock.now + min(job.delay, Self.longestDelay))
    {
      storage.starting.append(job.id)
    }
    return []
  }
}

/// The origin of a change, which determines who waits for the work that the change starts.
struct Origin {
  /// The count of the work that an event started, directly or through results; `nil` while there is
  /// none, and for streams and timers.
  private(set) var work: PendingWork?
  private let isEvent: Bool
  /// Other events that wait for this work.
  private(set) var joined: [PendingWork] = []

  /// An event that has not started any work yet.
  static var event: Origin { Origin(work: nil, isEvent: true) }

  /// A stream or a timer.
  static var nobody: Origin { Origin(work: nil, isEvent: false) }

  /// The result of earlier work.
  static func result(of entry: Entry) -> Origin {
    Origin(work: entry.event, isEvent: false, joined: entry.joined)
  }

  mutating func prepare() {
    if isEvent, work == nil { work = PendingWork() }
  }
}

/// The aspects of a runner that a change affected.
struct RunnerChange: OptionSet {
  let rawValue: Int
  /// The state has changed.
  static let state = RunnerChange(rawValue: 1)
  /// `isWorking` has changed.
  static let work = RunnerChange(rawValue: 2)
}
