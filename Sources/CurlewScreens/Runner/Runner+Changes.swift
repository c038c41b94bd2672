import Synchronization

extension Runner {
  /// Applies one change: starts the work that it adds, and delivers the new state.
  @discardableResult
  func change(
    _ body: (inout RunnerStorage<S.State>, inout Work<S.State>, inout Origin) -> Void
  ) -> Origin {
    var origin = Origin()
    var (effects, starts) = (WorkTable.Effects(), [TaskStart]())
    var woken: ChangeSignal.Consumers = []
    var (changesState, changesWork, hasDeliveries) = (false, false, false)
    // The earlier states are released outside the lock. Variables, because the runtime looks up the type of a tuple
    // with a state each time.
    var intermediate: [S.State] = []
    let before = withStorage { storage in
      let before = storage.state
      let (wasWorking, hadFailed) = (storage.work.isWorking, storage.failure != nil)
      let (tracker, activityBefore) = (storage.tracker, storage.tracker?.activity)
      let isSilent = tracker.map { $0.silentState != nil } ?? false
      let shownBefore = isSilent ? storage.shown : before
      var work = Work<S.State>(now: clock.now)
      body(&storage, &work, &origin)
      #if DEBUG
        reportMistakes(in: work, since: before, storage.state)
      #endif
      perform(work.commands, &storage, &origin)
      cancelWorkOfRemovedParts(since: before, &storage)
      var hasChanged = settle(&storage, since: before, &origin)
      if let tracker, hasChanged || tracker.isOutdated(at: clock.now) {
        if updateActivity(tracker, &storage, &origin) { hasChanged = storage.state != before }
        // During a silent reload, only the shown state counts.
        if isSilent || tracker.silentState != nil { hasChanged = storage.shown != shownBefore }
      }
      #if DEBUG
        reportMistakes(hasChanged: hasChanged, &storage)
      #endif
      // Only now is it certain that none of the new work has been cancelled.
      for id in storage.starting { starts += missingTasks(id, &storage) }
      storage.starting = []
      let newActivity = tracker?.activity == activityBefore ? nil : tracker?.activity
      changesState = hasChanged || newActivity != nil || (storage.failure != nil) != hadFailed
      changesWork = storage.work.isWorking != wasWorking
      deliver(changesState: hasChanged, newActivity, &storage)
      hasDeliveries = !storage.deliveries.isEmpty
      if hasChanged { storage.changeCount += 1 }
      if changesState { woken += stateChanges.publish() }
      if changesWork { woken += workChanges.publish() }
      if storage.hasEnded { woken += stateChanges.end() }
      swap(&intermediate, &storage.intermediate)
      swap(&effects, &storage.work.effects)
      return before
    }
    withExtendedLifetime(before) {}
    for start in starts { start.task.store(start.make()) }
    woken.resume()
    if changesState {
      onChange?()
    } else if changesWork {
      onWorkChange?()
    }
    for task in effects.tasks { task.cancel() }
    for call in effects.calls { call() }
    if hasDeliveries { makeDeliveries() }
    if hasDeferredCalls.load(ordering: .relaxed) { makeDeferredCalls() }
    return origin
  }

  /// Makes the calls that the screen made to its own runner, unless a caller on the same stack or another thread does.
  private func makeDeferredCalls() {
    var count = 0
    while true {
      let calls = deferredCalls.withLock { own in
        // The flag stays with the caller that has set it.
        if count == 0, own.isMaking { return [@Sendable () -> Void]() }
        defer { own.calls = [] }
        hasDeferredCalls.store(false, ordering: .relaxed)
        own.isMaking = !own.calls.isEmpty
        return own.calls
      }
      if calls.isEmpty { return }
      count += calls.count
      for call in calls { call() }
      if count > chainLimit {
        change { storage, _, _ in
          fail("\(S.self) loops forever: it sends itself an event for each event.", &storage)
        }
      }
    }
  }

  /// Calls the observer, the navigator and the waiters of events, in the order in which the calls were
  /// queued.
  ///
  /// Returns immediately while another thread, or a caller on the same stack, is delivering; that
  /// delivery includes the calls queued meanwhile.
  private func makeDeliveries() {
    while true {
      let calls = withStorage { storage in
        if storage.isDelivering { return [@Sendable () -> Void]() }
        defer { storage.deliveries = [] }
        storage.isDelivering = !storage.deliveries.isEmpty
        return storage.deliveries
      }
      if calls.isEmpty { return }
      for call in calls { call() }
      withStorage { $0.isDelivering = false }
      workChanges.publish().resume()
    }
  }

  /// Queues the calls to make after the lock has been released: first to the observer, then to the
  /// navigator, then to the waiters of an event, so that a waiter resumes after everything that the
  /// event caused.
  private func deliver(
    changesState: Bool, _ newActivity: ScreenActivity?, _ storage: inout RunnerStorage<S.State>
  ) {
    if let observer, let steps = storage.work.steps {
      storage.work.steps = []
      let now = clock.now
      var records: [RunnerRecord<S>] = steps.map { id, run, report in
        switch report {
        case .step(let step): .work(id, step, run: run)
        case .result(let result): .delivered(result, by: id, run: run)
        }
      }
      if changesState { records.append(.state(storage.shown)) }
      if let newActivity { records.append(.activity(newActivity)) }
      if !records.isEmpty {
        storage.deliveries.append { [records] in for record in records { observer(now, record) } }
      }
    }
    let (routes, events) = (storage.work.effects.routes, storage.work.effects.events)
    if let navigator, !routes.isEmpty {
      storage.deliveries.append { for route in routes { navigator.go(to: route) } }
    }
    if !events.isEmpty { storage.deliveries.append { for event in events { event.end() } } }
  }

  /// The longest delay, a hundred years: much longer delays overflow the system's clocks.
  private static var longestDelay: Duration { .seconds(100 * 365 * 86_400) }

  /// Calls `stateDidChange` of the screen and its parts until the state no longer changes; returns
  /// whether the state has changed.
  func settle(
    _ storage: inout RunnerStorage<S.State>, since before: S.State, _ origin: inout Origin
  ) -> Bool {
    var followed = before
    var rounds = 0
    // Whether the first followed state is the state that was compared with the state before.
    var isCompared = true
    while storage.state != followed {
      let last = followed
      if rounds > 0 { storage.intermediate.append(last) }
      if cancelUnawaited(&storage) { isCompared = false }
      followed = storage.state
      var work = Work<S.State>(now: clock.now)
      (work.moves, storage.moves) = (storage.moves, [])
      var changed: [PartID] = []
      if !parts.isEmpty {
        changed = parts.filter { $0.follow(last, &storage.state, &work) }.map { $0.id }
      }
      screen.stateDidChange(&storage.state, &work)
      perform(work.commands, &storage, &origin)
      cancelWorkOfRemovedParts(since: followed, &storage)
      rounds += 1
      // A state that is not equal to itself, such as a state that contains a NaN, would loop forever.
      if rounds > 1, storage.state != storage.state { return true }
      if storage.isStopped { break }
      // A screen that finds its way in a few rounds may make a state twice.
      if rounds > chainLimit
        || rounds > 16 && storage.intermediate.suffix(16).contains(storage.state)
      {
        let names = changed.map { "\($0)" }.joined(separator: ", ")
        fail(
          "\(S.self) loops forever: its stateDidChange\(names.isEmpty ? "" : ", or the stateDidChange of \(names),") changes the state on every call.",
          &storage)
        break
      }
    }
    // The state is the followed state now, so a long list need not be compared again.
    if rounds == 0 || rounds == 1 && isCompared && !storage.isStopped { return rounds > 0 }
    return storage.state != before
  }

  private func cancelWorkOfRemovedParts(
    since before: S.State, _ storage: inout RunnerStorage<S.State>
  ) {
    storage.cancelWorkOfRemovedParts(since: before)
    deliverCancellations(&storage)
  }

  /// Cancels the loads whose results the state no longer awaits; returns whether this may have changed the state.
  private func cancelUnawaited(_ storage: inout RunnerStorage<S.State>) -> Bool {
    for id in storage.work.guarded {
      let slot = storage.work.running[id]
      let isAwaited = slot.flatMap { Job<S.State>.of($0.entry.job).isAwaited?(storage.state) }
      if isAwaited == true { continue }
      if isAwaited == false { storage.work.end(id, .cancelled) }
      storage.work.guarded.removeAll { $0 == id }
    }
    return deliverCancellations(&storage)
  }

  /// Calls the `cancelled` closures of the loads that ended without a result; returns whether there were any.
  @discardableResult
  func deliverCancellations(_ storage: inout RunnerStorage<S.State>) -> Bool {
    guard !storage.work.cancelled.isEmpty else { return false }
    let entries = storage.work.cancelled
    storage.work.cancelled = []
    for entry in entries { Job<S.State>.of(entry.job).cancelled(&storage.state) }
    return true
  }

  /// The work that the start of other work adds, such as a timer's without a delay.
  private typealias AddedWork = (timer: WorkID, commands: [WorkCommand])

  func perform(
    _ commands: [WorkCommand], _ storage: inout RunnerStorage<S.State>, _ origin: inout Origin
  ) {
    if commands.isEmpty { return }
    var queue: [AddedWork] = []
    perform(commands, &storage, &origin, &queue)
    var count = 0
    while count < queue.count {
      let added = queue[count]
      count += 1
      if count > chainLimit {
        return fail(
          "\(S.self) loops forever: its timer \(added.timer) has no delay and starts another timer.",
          &storage)
      }
      // No event waits for the work that a timer adds.
      var origin = Origin()
      perform(added.commands, &storage, &origin, &queue)
    }
  }

  private func perform(
    _ commands: [WorkCommand], _ storage: inout RunnerStorage<S.State>, _ origin: inout Origin,
    _ queue: inout [AddedWork]
  ) {
    var cancelled: [WorkID: Int] = [:]
    for case (let index, .cancel(let id)) in commands.enumerated() { cancelled[id] = index }
    for (index, command) in commands.enumerated() {
      switch command {
      case .cancel(let id): storage.work.cancel(id)
      case .join(let id) where storage.work.isLoading(id):
        origin.prepare()
        for event in origin.waiters { storage.work.join(id, event) }
      case .join: break
      case .go(let route): storage.work.effects.routes.append(route)
      case .call(let closure): storage.work.effects.calls.append(closure)
      case .setOffline(let isOffline): storage.tracker?.setOffline(isOffline, at: clock.now)
      case .move(let move): storage.move(move)
      case .read(let source):
        var work = Work<S.State>(now: clock.now)
        for slot in storage.work.running.values {
          let job = Job<S.State>.of(slot.entry.job)
          if job.source == source { job.started(&storage.state, &work) }
        }
        perform(work.commands, &storage, &origin, &queue)
      case .start(let job):
        let job = Job<S.State>.of(job)
        // Work that the same change cancels later is not started: its end would never be recorded.
        if job.kind != .write, index < cancelled[job.id] ?? 0 {
          job.ticket?.end()
          // The event that added the work may already have changed the state.
          if job.delay <= .zero { job.cancelled(&storage.state) }
          break
        }
        #if DEBUG
          if let problem = problem(of: job) { ScreenErrors.report(problem) }
        #endif
        if job.kind.counts { origin.prepare() }
        let added = start(job, storage.add(job, for: origin), &storage)
        if !added.isEmpty { queue.append((job.id, added)) }
      }
      deliverCancellations(&storage)
    }
  }

  /// Starts work, now or after its delay; returns the work that a timer without a delay adds.
  private func start(
    _ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [WorkCommand] {
    if job.kind == .write { return write(job, entry, &storage) }
    if job.delay <= .zero {
      return begin(entry, &storage, hasWaited: storage.work.stopWaiting(job.id))
    }
    let due = clock.now + min(job.delay, Self.longestDelay)
    if storage.work.wait(entry, for: job.delay, until: due) { storage.starting.append(job.id) }
    return []
  }
}

/// The origin of a change, which determines the events that wait for the work that the change starts.
struct Origin {
  /// The pending work of the waiting events: empty for an event that has not started work, and for
  /// streams and timers.
  var waiters: [PendingWork] = []
  var isEvent = false

  mutating func prepare() {
    if isEvent, waiters.isEmpty { waiters = [PendingWork()] }
  }
}
