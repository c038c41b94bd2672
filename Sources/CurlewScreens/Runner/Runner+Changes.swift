extension Runner {
  /// Makes one change: what it asks for is started, and a new state is delivered.
  @discardableResult
  func change(
    of origin: Origin = .nobody, event: S.Event? = nil,
    _ body: (inout Core<S.State>, inout Work<S.State>, inout Origin) -> Void
  ) -> Origin {
    var origin = origin
    // The states before, so that they are released after the lock.
    let (changes, aftermath, before, passed) = withCore { core in
      let (before, wasWorking) = (core.state, core.work.isWorking)
      var work = Work<S.State>(now: timeline.now)
      body(&core, &work, &origin)
      perform(work, &core, &origin)
      core.cancelWorkOfGoneParts(since: before)
      rest(&core, since: before, &origin)
      var changes: RunnerChange = []
      if core.state != before { changes.insert(.state) }
      if core.work.isWorking != wasWorking { changes.insert(.work) }
      deliver(event, changes, &core)
      if changes.contains(.state) { news.publish() }
      if changes.contains(.work) { workNews.publish() }
      if core.isOver { news.end() }
      defer { core.passed = [] }
      return (changes, core.work.takeAftermath(), before, core.passed)
    }
    withExtendedLifetime((before, passed)) {}
    if !changes.isEmpty { onChange?(changes) }
    finish(aftermath)
    return origin
  }

  /// Makes a change that is not the screen's, and that leaves its state as it is.
  func conclude(_ body: (inout Core<S.State>) -> Void) {
    let aftermath = withCore { core in
      let wasWorking = core.work.isWorking
      body(&core)
      deliver(nil, [], &core)
      if core.work.isWorking != wasWorking { workNews.publish() }
      return core.work.takeAftermath()
    }
    finish(aftermath)
  }

  /// Does what runs code of others.
  func finish(_ aftermath: WorkTable.Aftermath) {
    for task in aftermath.tasks { task.cancel() }
    if deliveries.deliver() { workNews.publish() }
  }

  /// Has others told what has happened, when the lock has been released: first an observer, then
  /// the navigator, then who waits for an event, and so finds all done that it led to.
  private func deliver(_ event: S.Event?, _ changes: RunnerChange, _ core: inout Core<S.State>) {
    if let observer, let steps = core.work.steps {
      core.work.steps = []
      let now = timeline.now
      var kinds: [RunnerRecord<S>.Kind] = event.map { [.event($0)] } ?? []
      kinds += steps.map { .work($0) }
      if changes.contains(.state) { kinds.append(.state(core.state)) }
      let records = kinds.map { RunnerRecord(time: now, kind: $0) }
      if !records.isEmpty { deliveries.add { for record in records { observer(record) } } }
    }
    let (routes, events) = (core.work.aftermath.routes, core.work.aftermath.events)
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
    _ core: inout Core<S.State>, since before: S.State, _ origin: inout Origin
  ) {
    var followed = before
    var rounds = 0
    while core.state != followed {
      let last = followed
      if rounds > 0 { core.passed.append(last) }
      followed = core.state
      var work = Work<S.State>(now: timeline.now)
      let changed = parts.filter { $0.follow(last, &core.state, &work) }
      screen.stateDidChange(&core.state, &work)
      perform(work, &core, &origin)
      core.cancelWorkOfGoneParts(since: followed)
      rounds += 1
      // A state that is not equal to itself, as one with a NaN in it, can't be seen to rest.
      if rounds > 1, core.state != core.state { return }
      if rounds > Self.restlessness {
        let names = changed.map { "\($0.id)" }.joined(separator: ", ")
        fatalError(
          "\(S.self) never rests: its stateDidChange\(names.isEmpty ? "" : ", or that of \(names),") changes the state each time that it is called."
        )
      }
    }
  }

  private func perform(
    _ work: Work<S.State>, _ core: inout Core<S.State>, _ origin: inout Origin
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
      perform(command, &core, &origin, depth: 0)
    }
  }

  private func perform(
    _ command: Work<S.State>.Command, _ core: inout Core<S.State>, _ origin: inout Origin,
    depth: Int
  ) {
    switch command {
    case .cancel(let id): core.work.cancel(id)
    case .join(let id):
      guard core.work.isLoading(id) else { return }
      origin.prepare()
      for event in (origin.work.map { [$0] } ?? []) + origin.joined { core.work.join(id, event) }
    case .go(let route): core.work.aftermath.routes.append(route)
    case .start(let job):
      if depth > Self.restlessness {
        fatalError("\(S.self) never rests: its timer \(job.id) without a delay starts another.")
      }
      if job.kind.counts { origin.prepare() }
      let more = start(job, core.enter(job, for: origin), &core)
      // Only a timer without a delay has more to do at once, which nobody waits for.
      var timer = Origin.nobody
      for command in more { perform(command, &core, &timer, depth: depth + 1) }
    }
  }

  /// Starts work, now or after its delay; returns what a timer without a delay asks for.
  private func start(
    _ job: Job<S.State>, _ entry: Entry, _ core: inout Core<S.State>
  ) -> [Work<S.State>.Command] {
    if case .write = job.kind {
      write(job, entry, &core)
    } else if job.delay <= .zero {
      core.work.stopWaiting(job.id)
      return begin(entry, &core)
    } else if core.work.wait(entry, until: timeline.now + min(job.delay, Self.longestDelay)) {
      startTasks(job.id, &core)
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
