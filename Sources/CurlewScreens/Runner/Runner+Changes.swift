extension Runner {
  /// Makes one change: what it asks for is started, and a new state is delivered.
  @discardableResult
  func change(
    of origin: Origin = .nobody, event: S.Event? = nil,
    _ body: (inout RunnerStorage<S.State>, inout Work<S.State>, inout Origin) -> Void
  ) -> Origin {
    var origin = origin
    // The states before, so that they are released after the lock.
    let (changes, effects, before, passed) = withStorage { storage in
      let (before, wasWorking) = (storage.state, storage.work.isWorking)
      var work = Work<S.State>(now: clock.now)
      body(&storage, &work, &origin)
      perform(work, &storage, &origin)
      storage.cancelWorkOfGoneParts(since: before)
      rest(&storage, since: before, &origin)
      var changes: RunnerChange = []
      if storage.state != before { changes.insert(.state) }
      if storage.work.isWorking != wasWorking { changes.insert(.work) }
      deliver(event, changes, &storage)
      if changes.contains(.state) { stateChanges.publish() }
      if changes.contains(.work) { workChanges.publish() }
      if storage.isOver { stateChanges.end() }
      defer { storage.passed = [] }
      return (changes, storage.work.takeEffects(), before, storage.passed)
    }
    withExtendedLifetime((before, passed)) {}
    if !changes.isEmpty { onChange?(changes) }
    finish(effects)
    return origin
  }

  /// Makes a change that is not the screen's, and that leaves its state as it is.
  func conclude(_ body: (inout RunnerStorage<S.State>) -> Void) {
    let effects = withStorage { storage in
      let wasWorking = storage.work.isWorking
      body(&storage)
      deliver(nil, [], &storage)
      if storage.work.isWorking != wasWorking { workChanges.publish() }
      return storage.work.takeEffects()
    }
    finish(effects)
  }

  /// Does what runs code of others.
  func finish(_ effects: WorkTable.Effects) {
    for task in effects.tasks { task.cancel() }
    if deliveries.deliver() { workChanges.publish() }
  }

  /// Has others told what has happened, when the lock has been released: first an observer, then
  /// the navigator, then who waits for an event, and so finds all done that it led to.
  private func deliver(
    _ event: S.Event?, _ changes: RunnerChange, _ storage: inout RunnerStorage<S.State>
  ) {
    if let observer, let steps = storage.work.steps {
      storage.work.steps = []
      let now = clock.now
      var kinds: [RunnerRecord<S>.Kind] = event.map { [.event($0)] } ?? []
      kinds += steps.map { .work($0) }
      if changes.contains(.state) { kinds.append(.state(storage.state)) }
      let records = kinds.map { RunnerRecord(time: now, kind: $0) }
      if !records.isEmpty { deliveries.add { for record in records { observer(record) } } }
    }
    let (routes, events) = (storage.work.effects.routes, storage.work.effects.events)
    if let navigator, !routes.isEmpty {
      deliveries.add { for route in routes { navigator.go(to: route) } }
    }
    if !events.isEmpty { deliveries.add { for event in events { event.leave() } } }
  }

  /// A hundred years: with much longer delays, the system's clocks overflow.
  private static var longestDelay: Duration { .seconds(100 * 365 * 86_400) }

  /// How often a screen may change its state because it has changed, before it is taken for one
  /// that never comes to rest.
  private static var restlessness: Int { 100 }

  /// Lets the screen and its parts follow their changes until they rest.
  private func rest(
    _ storage: inout RunnerStorage<S.State>, since before: S.State, _ origin: inout Origin
  ) {
    var followed = before
    var rounds = 0
    while storage.state != followed {
      let last = followed
      if rounds > 0 { storage.passed.append(last) }
      followed = storage.state
      var work = Work<S.State>(now: clock.now)
      let changed = parts.filter { $0.follow(last, &storage.state, &work) }
      screen.stateDidChange(&storage.state, &work)
      perform(work, &storage, &origin)
      storage.cancelWorkOfGoneParts(since: followed)
      rounds += 1
      // A state that is not equal to itself, as one with a NaN in it, can't be seen to rest.
      if rounds > 1, storage.state != storage.state { return }
      if rounds > Self.restlessness {
        let names = changed.map { "\($0.id)" }.joined(separator: ", ")
        fatalError(
          "\(S.self) never rests: its stateDidChange\(names.isEmpty ? "" : ", or that of \(names),") changes the state each time that it is called."
        )
      }
    }
  }

  private func perform(
    _ work: Work<S.State>, _ storage: inout RunnerStorage<S.State>, _ origin: inout Origin
  ) {
    var cancelled: [WorkID: Int] = [:]
    for (index, command) in work.commands.enumerated() {
      if case .cancel(let id) = command { cancelled[id] = index }
    }
    for (index, command) in work.commands.enumerated() {
      // What is cancelled later in the same change does not begin at all: it would never end.
      if case .start(let job) = command, !job.kind.isWrite, index < cancelled[job.id] ?? 0 {
        continue
      }
      perform(command, &storage, &origin, depth: 0)
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
    case .start(let job):
      if depth > Self.restlessness {
        fatalError("\(S.self) never rests: its timer \(job.id) without a delay starts another.")
      }
      if job.kind.counts { origin.prepare() }
      let more = start(job, storage.enter(job, for: origin), &storage)
      // Only a timer without a delay has more to do at once, which nobody waits for.
      var timer = Origin.nobody
      for command in more { perform(command, &storage, &timer, depth: depth + 1) }
    }
  }

  /// Starts work, now or after its delay; returns what a timer without a delay asks for.
  private func start(
    _ job: Job<S.State>, _ entry: Entry, _ storage: inout RunnerStorage<S.State>
  ) -> [Work<S.State>.Command] {
    if case .write = job.kind {
      write(job, entry, &storage)
    } else if job.delay <= .zero {
      storage.work.stopWaiting(job.id)
      return begin(entry, &storage)
    } else if storage.work.wait(entry, until: clock.now + min(job.delay, Self.longestDelay)) {
      startTasks(job.id, &storage)
    }
    return []
  }
}

/// What a change comes from, and so who waits for the work that it starts.
struct Origin {
  /// Counts the work of an event and of what follows from it; `nil` while there is none, and for
  /// streams and timers, for which nobody waits.
  private(set) var work: PendingWork?
  private let isEvent: Bool
  /// Other events that wait for this work.
  private(set) var joined: [PendingWork] = []

  /// An event, as yet without work.
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

/// What has changed in a runner.
struct RunnerChange: OptionSet {
  let rawValue: Int
  /// There is a new state.
  static let state = RunnerChange(rawValue: 1)
  /// Work has begun where there was none, or the last has ended.
  static let work = RunnerChange(rawValue: 2)
}
