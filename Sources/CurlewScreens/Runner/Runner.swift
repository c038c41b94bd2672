import Synchronization

/// Runs a screen: owns its state, its clock, its running work and their generations.
///
/// All of a screen's concurrency is here. ``send(_:)`` applies an event before it returns. Work
/// runs in tasks of its own, and what it changes is applied only if its generation is still the
/// current one under its name, so replaced work can't reply. Every change is made under one lock,
/// and each new state is delivered once; a slow consumer gets the newest.
///
/// Apps use a ``ScreenModel`` or ``Screen/states(for:clock:)``; adapters to other user interfaces
/// use a runner.
public final class Runner<S: Screen>: Sendable {
  private let screen: S
  private let timeline: Timeline
  private let home: Home
  private let navigator: (any Navigator)?
  private let onChange: (@Sendable () -> Void)?
  private let core: Mutex<Core<S.State>>
  let news = News()

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
  ///   - onChange: Called after each new state by whoever caused it. With a home on one thread
  ///     it sees every state; use ``states`` otherwise.
  public init(
    _ screen: S,
    clock: any Clock<Duration> = ContinuousClock(),
    home: Home = .anywhere,
    navigator: (any Navigator)? = nil,
    onChange: (@Sendable () -> Void)? = nil
  ) {
    self.screen = screen
    self.home = home
    self.navigator = navigator
    self.onChange = onChange
    timeline = Timeline(clock)
    core = Mutex(Core(screen.initial))
  }

  deinit {
    core.withLock { $0.cancelAll() }
  }

  /// The newest state.
  public var state: S.State { core.withLock { $0.state } }

  /// Whether work is running or waiting to; timers don't count.
  public var isWorking: Bool { core.withLock { $0.isWorking } }

  /// Applies an event; when it returns, the state has answered it.
  ///
  /// After ``stop()`` it does nothing.
  public func send(_ event: S.Event) {
    change { core, work in
      guard !core.isStopped else { return }
      screen.handle(event, &core.state, &work)
    }
  }

  /// Cancels all work, for good; ``states`` end.
  public func stop() {
    core.withLock { core in
      core.isStopped = true
      core.cancelAll()
      news.end()
    }
  }

  /// Cancels all work until ``resume()``, which starts it again.
  public func suspend() {
    core.withLock { $0.suspend() }
  }

  /// Starts the work again that ``suspend()`` cancelled.
  public func resume() {
    core.withLock { core in
      for index in core.resume() {
        startTasks(&core, at: index)
      }
    }
  }

  /// Says that no more events will come: ``states`` end when the work that runs has ended.
  func finish() {
    core.withLock { core in
      core.isFinished = true
      if core.isOver { news.end() }
    }
  }

  /// The state now, and each new one; a slow consumer gets the newest.
  ///
  /// They end when the runner is stopped or the consuming task is cancelled. There may be any
  /// number of consumers.
  public var states: States<S> { States(runner: self) }

  /// The newest state, for a consumer that has then seen all up to it.
  func newest(_ seen: inout UInt64) -> S.State {
    core.withLock { core in
      seen = news.version
      return core.state
    }
  }

  // MARK: Changes

  /// How often a screen may follow its own changes before it is taken for one that never rests.
  private static var followLimit: Int { 100 }

  /// Makes one change: what it asks for is started, and a new state is delivered.
  private func change(_ body: (inout Core<S.State>, inout Work<S.State>) -> Void) {
    let (isChanged, routes) = core.withLock { core in
      let before = core.state
      var routes: [any Route] = []
      var work = Work<S.State>(now: timeline.now)
      body(&core, &work)
      perform(work, &core, &routes)
      var followed = before
      var rounds = 0
      while rounds < Self.followLimit, core.state != followed {
        rounds += 1
        followed = core.state
        var work = Work<S.State>(now: timeline.now)
        screen.stateDidChange(&core.state, &work)
        perform(work, &core, &routes)
      }
      let isChanged = core.state != before
      if isChanged { news.publish() }
      if core.isOver { news.end() }
      return (isChanged, routes)
    }
    if isChanged { onChange?() }
    for route in routes { navigator?.go(to: route) }
  }

  private func perform(
    _ work: Work<S.State>, _ core: inout Core<S.State>, _ routes: inout [any Route]
  ) {
    for command in work.commands {
      switch command {
      case .cancel(let id): core.cancel(id)
      case .start(let job): start(job, &core)
      case .go(let route): routes.append(route)
      }
    }
  }

  private func start(_ job: Job<S.State>, _ core: inout Core<S.State>) {
    let index = core.slot(for: job.id)
    if job.delay <= .zero {
      core.slots[index].stopWaiting()
      begin(job, at: index, &core)
    } else if core.wait(job, until: timeline.now + job.delay, at: index) {
      startTasks(&core, at: index)
    }
  }

  /// Starts work whose wait is over, unless it is not wanted any more.
  private func begin(_ job: Job<S.State>, at index: Int, _ core: inout Core<S.State>) {
    guard job.condition(core.state) else { return core.removeSlotIfIdle(at: index) }
    core.run(job, at: index)
    job.started(&core.state)
    startTasks(&core, at: index)
  }

  // MARK: Tasks

  /// Starts the tasks that a slot needs and does not have yet.
  ///
  /// They hold the runner only while they report to it, so that dropping a runner ends its work.
  private func startTasks(_ core: inout Core<S.State>, at index: Int) {
    guard !core.isSuspended else { return }
    let id = core.slots[index].id
    if let running = core.slots[index].running, running.task == nil {
      let (run, generation) = (running.job.run, running.generation)
      core.slots[index].running?.task = home.task { [weak self] _ in
        let change = await run()
        self?.complete(id, generation, change)
      }
    }
    if let waiting = core.slots[index].waiting, waiting.task == nil {
      let generation = waiting.generation
      core.slots[index].waiting?.task = home.task { [weak self, timeline] _ in
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
    change { core, _ in
      guard let index = core.slots.firstIndex(where: { $0.id == id }),
        let waiting = core.slots[index].waiting, waiting.generation == generation
      else { return }
      if waiting.due > timeline.now {
        due = waiting.due
      } else {
        core.slots[index].waiting = nil
        begin(waiting.job, at: index, &core)
      }
    }
    return due
  }

  /// Applies what finished work changes, if it was not replaced meanwhile.
  private func complete(
    _ id: WorkID, _ generation: UInt64, _ apply: Job<S.State>.Change
  ) {
    change { core, _ in
      guard let index = core.slots.firstIndex(where: { $0.id == id }),
        core.slots[index].running?.generation == generation
      else { return }
      core.slots[index].running = nil
      core.removeSlotIfIdle(at: index)
      apply(&core.state)
    }
  }
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
