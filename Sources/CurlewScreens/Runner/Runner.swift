/// Runs a screen: owns its state, its clock, its running work and their generations.
///
/// All of a screen's concurrency is here. ``send(_:)`` applies an event before it returns. Work
/// runs in tasks of its own, and what it changes is applied only if its generation is still the
/// current one with its name, so replaced work can't deliver. Every change is made under one lock,
/// and each new state is delivered once; a slow consumer gets the newest. Whatever runs code that is not
/// the screen's, such as cancelling a task, is done after the lock.
///
/// Apps use a ``ScreenModel`` or ``Screen/states(for:clock:)``; adapters to other user interfaces
/// use a runner.
public final class Runner<S: Screen>: Sendable {
  typealias Entry = Core<S.State>.Entry

  private let screen: S
  private let parts: [Part<S.State, S.Event>]
  private let timeline: Timeline
  private let home: Home
  private let navigator: (any Navigator)?
  private let onChange: (@Sendable (RunnerChange) -> Void)?
  private let observers: ObserverQueue<S>?
  private let core: ScreenLock<S.State>
  let news = News()
  /// News of whether work goes on.
  private let workNews = News()
  /// The writes that have not finished. They go on when the runner is gone.
  public let writes: PendingWork

  /// Where a runner's work begins and its results are applied.
  public enum Home: Sendable {
    /// Any thread of the concurrency pool.
    case anywhere
    /// The main actor, so that states change there without a hop.
    case mainActor
    /// An executor of the caller's, as tests use it.
    case executor(any TaskExecutor)
  }

  /// Creates a runner whose screen is in its initial state.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - clock: The clock of all delays.
  ///   - home: Where work begins and its results are applied.
  ///   - navigator: Goes where the screen says.
  ///   - writes: Counts the writes; share one to wait for those of several runners.
  ///   - onChange: Called after each new state by whoever caused it. With a home on one thread
  ///     it sees every state; use ``states`` otherwise.
  ///   - observer: Called with all that happens, in order, by whoever caused it and outside any lock; it
  ///     may send events.
  public convenience init(
    _ screen: S,
    clock: any Clock<Duration> = ContinuousClock(),
    home: Home = .anywhere,
    navigator: (any Navigator)? = nil,
    writes: PendingWork? = nil,
    onChange: (@Sendable () -> Void)? = nil,
    observer: (@Sendable (RunnerRecord<S>) -> Void)? = nil
  ) {
    self.init(
      screen, clock, home, navigator, writes, observer
    ) { changes in
      if changes.contains(.state) { onChange?() }
    }
  }

  /// Creates a runner that tells when work begins and ends, too.
  init(
    _ screen: S, _ clock: any Clock<Duration>, _ home: Home, _ navigator: (any Navigator)?,
    _ writes: PendingWork?, _ observer: (@Sendable (RunnerRecord<S>) -> Void)?,
    onAnyChange: (@Sendable (RunnerChange) -> Void)?
  ) {
    self.screen = screen
    parts = screen.parts
    self.home = home
    self.navigator = navigator
    self.writes = writes ?? PendingWork()
    onChange = onAnyChange
    observers = observer.map { ObserverQueue($0) }
    timeline = Timeline(clock)
    core = ScreenLock(Core(screen.initial, isObserved: observer != nil))
  }

  deinit {
    finish(withCore { core in
      core.cancelAll()
      return core.takeAftermath()
    })
  }

  /// The newest state.
  public var state: S.State { withCore { $0.state } }

  /// Whether loads or writes are running or waiting to; streams and timers don't count.
  public var isWorking: Bool { withCore { $0.isWorking } }

  /// Applies an event; when it returns, the state has changed.
  ///
  /// After ``stop()`` it does nothing.
  ///
  /// - Returns: What the event started, to wait for it.
  @discardableResult
  public func send(_ event: S.Event) -> SentEvent {
    let origin = change(of: .event(nil), event: event) { core, work, _ in
      guard !core.isStopped else { return }
      screen.handle(event, &core.state, &work)
    }
    return SentEvent(work: origin.work)
  }

  /// Cancels all work but writes, for good; ``states`` end.
  public func stop() {
    conclude { core in
      core.isStopped = true
      core.cancelAll()
    }
    news.end()
  }

  /// Cancels all work but writes, and streams that continue, until ``resume()``, which starts it again.
  public func suspend() {
    conclude { $0.suspend() }
  }

  /// Starts the work again that ``suspend()`` cancelled.
  public func resume() {
    conclude { core in
      core.isSuspended = false
      for id in core.idsInOrder {
        if let running = core.slots[id]?.running, running.task == nil {
          core.note(running.entry, .started)
        }
        startTasks(id, &core)
      }
    }
  }

  /// Says that no more events will come: ``states`` end when the work that runs has ended.
  func finish() {
    withCore { core in
      core.isFinished = true
      if core.isOver { news.end() }
    }
  }

  /// The state now, and each new one; a slow consumer gets the newest.
  ///
  /// They end when the runner is stopped or the consuming task is cancelled. There may be any
  /// number of consumers.
  public var states: States<S> { States(runner: self) }

  /// Returns when no load and no write is running or waiting to, or when the task is cancelled.
  public func idle() async {
    while true {
      let seen = workNews.version
      guard isWorking, await workNews.arrive(after: seen) else { return }
    }
  }

  /// The newest state, for a consumer that has then seen all up to it.
  func newest(_ seen: inout UInt64) -> S.State {
    withCore { core in
      seen = news.version
      return core.state
    }
  }

  // MARK: Changes

  /// What a change belongs to: whose end is waited for with it.
  private enum Origin {
    /// An event; the count of its work is made when there is some.
    case event(PendingWork?)
    /// The result of earlier work.
    case work(PendingWork?)

    var work: PendingWork? {
      switch self {
      case .event(let work), .work(let work): work
      }
    }

    mutating func prepare(for job: Job<S.State>) {
      if case .event(nil) = self, job.counts { self = .event(PendingWork()) }
    }
  }

  private func withCore<Value>(
    _ body: (inout Core<S.State>) -> sending Value
  ) -> sending Value {
    core.withLock("\(S.self)", body)
  }

  /// Makes one change: what it asks for is started, and a new state is delivered.
  @discardableResult
  private func change(
    of origin: Origin = .work(nil), event: S.Event? = nil,
    _ body: (inout Core<S.State>, inout Work<S.State>, inout Origin) -> Void
  ) -> Origin {
    var origin = origin
    let (changes, aftermath) = withCore { core in
      let (before, wasWorking) = (core.state, core.isWorking)
      var work = Work<S.State>(now: timeline.now)
      body(&core, &work, &origin)
      perform(work, &core, &origin)
      core.cancelWorkOfGoneParts(since: before)
      rest(&core, since: before, &origin)
      var changes: RunnerChange = []
      if core.state != before { changes.insert(.state) }
      if core.isWorking != wasWorking { changes.insert(.work) }
      core.aftermath.states.append(before)
      record(event, changes, &core)
      if changes.contains(.state) { news.publish() }
      if changes.contains(.work) { workNews.publish() }
      if core.isOver { news.end() }
      return (changes, core.takeAftermath())
    }
    if !changes.isEmpty { onChange?(changes) }
    finish(aftermath)
    return origin
  }

  /// Makes a change that is not the screen's, and that leaves its state as it is.
  private func conclude(_ body: (inout Core<S.State>) -> Void) {
    let aftermath = withCore { core in
      let wasWorking = core.isWorking
      body(&core)
      record(nil, [], &core)
      if core.isWorking != wasWorking { workNews.publish() }
      return core.takeAftermath()
    }
    finish(aftermath)
  }

  /// Does what runs code of others.
  private func finish(_ aftermath: Core<S.State>.Aftermath) {
    for task in aftermath.tasks { task.cancel() }
    for event in aftermath.events { event.leave() }
    for route in aftermath.routes { navigator?.go(to: route) }
    observers?.deliver()
  }

  private func record(_ event: S.Event?, _ changes: RunnerChange, _ core: inout Core<S.State>) {
    guard let observers, let steps = core.steps else { return }
    core.steps = []
    var kinds: [RunnerRecord<S>.Kind] = []
    if let event { kinds.append(.event(event)) }
    kinds += steps.map { .work($0) }
    if changes.contains(.state) { kinds.append(.state(core.state)) }
    let now = timeline.now
    observers.add(kinds.map { RunnerRecord(time: now, kind: $0) })
  }

  /// How often a screen may change its state because it has changed, before it is taken for one that
  /// never comes to rest.
  private static var restlessness: Int { 100 }

  /// Lets the screen and its parts follow their changes until they rest.
  private func rest(
    _ core: inout Core<S.State>, since before: S.State, _ origin: inout Origin
  ) {
    var followed = before
    var rounds = 0
    while core.state != followed {
      let last = followed
      followed = core.state
      core.aftermath.states.append(followed)
      var work = Work<S.State>(now: timeline.now)
      let changed = parts.filter { $0.follow(last, &core.state, &work) }
      screen.stateDidChange(&core.state, &work)
      perform(work, &core, &origin)
      core.cancelWorkOfGoneParts(since: followed)
      rounds += 1
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
    var commands = work.commands[...]
    var timers = 0
    while let command = commands.popFirst() {
      switch command {
      case .cancel(let id): core.cancel(id)
      case .go(let route): core.aftermath.routes.append(route)
      case .start(let job):
        origin.prepare(for: job)
        let more = start(core.enter(job, for: origin.work), &core)
        guard !more.isEmpty else { break }
        commands += more
        timers += 1
        if timers > Self.restlessness {
          fatalError("\(S.self) never rests: its timer \(job.id) without a delay starts another.")
        }
      }
    }
  }

  /// Starts work, now or after its delay; returns what a timer without a delay asks for.
  private func start(
    _ entry: Entry, _ core: inout Core<S.State>
  ) -> [Work<S.State>.Command] {
    let job = entry.job
    if case .write = job.kind {
      write(entry, &core)
    } else if job.delay <= .zero {
      core.stopWaiting(job.id)
      return begin(entry, &core)
    } else if core.wait(entry, until: timeline.now + job.delay) {
      startTasks(job.id, &core)
    }
    return []
  }

  /// Starts work whose wait is over, unless it is not wanted any more.
  private func begin(
    _ entry: Entry, _ core: inout Core<S.State>
  ) -> [Work<S.State>.Command] {
    let job = entry.job
    defer { core.removeSlotIfEmpty(job.id) }
    guard job.condition(core.state) else {
      core.leave(entry)
      return []
    }
    var work = Work<S.State>(now: timeline.now)
    if case .timer = job.kind {
      core.end(job.id, .replaced)
      core.leave(entry)
      job.started(&core.state, &work)
    } else {
      core.run(entry)
      job.started(&core.state, &work)
      startTasks(job.id, &core)
    }
    return work.commands
  }

  // MARK: Tasks

  /// Starts a write behind those with the same name.
  ///
  /// Its task is cancelled by nobody and needs no runner: what is written goes on without one.
  private func write(_ entry: Entry, _ core: inout Core<S.State>) {
    let (id, number, run, event) = (entry.job.id, entry.number, entry.job.run, entry.event)
    let (previous, writes) = (core.queues[id]?.last, writes)
    writes.enter()
    core.writes[number] = entry
    core.note(entry, .started)
    var work = Work<S.State>(now: timeline.now)
    entry.job.started(&core.state, &work)
    let task = home.task { [weak self] _ in
      await previous?.value
      let outcome = await run { _ in false }
      self?.complete(write: number, id, outcome)
      event?.leave()
      writes.leave()
    }
    core.queues[id] = Core.Queue(last: task, number: number)
  }

  /// Starts the tasks that the work with a name needs and does not have yet.
  ///
  /// They hold the runner only while they report to it, so that dropping a runner ends its work.
  private func startTasks(_ id: WorkID, _ core: inout Core<S.State>) {
    guard !core.isSuspended else { return }
    if let running = core.slots[id]?.running, running.task == nil {
      let (run, generation) = (running.entry.job.run, running.generation)
      let emit: @Sendable (@escaping Job<S.State>.Change) -> Bool = { [weak self] change in
        self?.emit(id, generation, change) ?? false
      }
      core.slots[id]?.running?.task = home.task { [weak self] _ in
        let outcome = await run(emit)
        self?.complete(id, generation, outcome)
      }
    }
    if let waiting = core.slots[id]?.waiting, waiting.task == nil {
      let generation = waiting.generation
      core.slots[id]?.waiting?.task = home.task { [weak self, timeline] _ in
        // Newer work moves the moment on instead of starting another task.
        while let due = self?.due(id, generation) {
          try? await timeline.sleep(until: due)
          if Task.isCancelled { return }
        }
      }
    }
  }

  /// Begins the work that waits if its moment has come; else returns that moment.
  private func due(_ id: WorkID, _ generation: UInt64) -> Duration? {
    var due: Duration?
    change { core, work, origin in
      guard let waiting = core.slots[id]?.waiting, waiting.generation == generation else { return }
      if waiting.due > timeline.now {
        due = waiting.due
      } else if let entry = core.takeWaiting(id) {
        origin = .work(entry.event)
        work.add(begin(entry, &core))
      }
    }
    return due
  }

  /// Applies what a stream's element changes; returns whether the stream still counts.
  private func emit(
    _ id: WorkID, _ generation: UInt64, _ apply: Job<S.State>.Change
  ) -> Bool {
    var counts = false
    change { core, work, _ in
      counts = core.slots[id]?.running?.generation == generation
      if counts { apply(&core.state, &work) }
    }
    return counts
  }

  /// Applies what finished work changes, if it was not replaced meanwhile.
  private func complete(
    _ id: WorkID, _ generation: UInt64, _ outcome: Job<S.State>.Outcome
  ) {
    change { core, work, origin in
      guard let running = core.slots[id]?.running, running.generation == generation else { return }
      origin = .work(running.entry.event)
      core.end(id, .finished(error: outcome.errorText))
      core.removeSlotIfEmpty(id)
      outcome.change(&core.state, &work)
    }
  }

  /// Applies what a finished write changes, if its part and its runner are still there.
  private func complete(
    write number: UInt64, _ id: WorkID, _ outcome: Job<S.State>.Outcome
  ) {
    change { core, work, origin in
      guard let entry = core.finishWrite(number, id) else { return }
      origin = .work(entry.event)
      core.note(entry, .finished(error: outcome.errorText))
      outcome.change(&core.state, &work)
    }
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

extension Job.Outcome {
  fileprivate var errorText: String? { error.map { "\($0)" } }
}

extension Runner.Home {
  /// Starts a task whose body comes back to this home after each `await`.
  fileprivate func task(
    _ body: @escaping @Sendable (isolated (any Actor)?) async -> Void
  ) -> Task<Void, Never> {
    switch self {
    case .anywhere: Task { @concurrent in await body(nil) }
    case .mainActor: Task { @MainActor in await body(MainActor.shared) }
    case .executor(let executor): Task(executorPreference: executor) { await body(nil) }
    }
  }
}
