/// Runs a screen: owns its state, its clock, its running work and their generations.
///
/// All of a screen's concurrency is here. ``send(_:)`` applies an event before it returns. Work
/// runs in tasks of its own, and what it changes is applied only if its generation is still the
/// current one with its name, so replaced work can't deliver. Every change is made under one lock,
/// and each new state is delivered once; a slow consumer gets the newest. Whatever runs code that
/// is not the screen's, such as cancelling a task, is done after the lock.
///
/// Apps use a ``ScreenModel`` or ``Screen/states(for:clock:)``; adapters to other user interfaces
/// use a runner.
public final class Runner<S: Screen>: Sendable {
  let screen: S
  let parts: [Part<S.State, S.Event>]
  let timeline: Timeline
  let home: Home
  let navigator: (any Navigator)?
  let onChange: (@Sendable (RunnerChange) -> Void)?
  let observer: (@Sendable (RunnerRecord<S>) -> Void)?
  /// What observers, the navigator and those who wait are still to be told.
  let deliveries = DeliveryQueue()
  let core: ScreenLock<S.State>
  let news = News()
  /// News of whether work goes on.
  let workNews = News()
  /// The writes that have not finished; they go on when the runner is gone.
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
    var onAnyChange: (@Sendable (RunnerChange) -> Void)?
    if let onChange { onAnyChange = { if $0.contains(.state) { onChange() } } }
    self.init(screen, clock, home, navigator, writes, observer, onAnyChange: onAnyChange)
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
    self.observer = observer
    timeline = Timeline(clock)
    core = ScreenLock(Core(screen.initial, isObserved: observer != nil))
  }

  deinit {
    let aftermath = withCore { core in
      core.work.cancelAll()
      return core.work.takeAftermath()
    }
    for task in aftermath.tasks { task.cancel() }
    for event in aftermath.events { event.leave() }
  }

  /// The newest state.
  public var state: S.State { withCore { $0.state } }

  /// Whether loads or writes are running or waiting to; streams and timers don't count.
  public var isWorking: Bool { withCore { $0.work.isWorking } }

  /// Applies an event; when it returns, the state has changed.
  ///
  /// After ``stop()`` it does nothing.
  ///
  /// - Returns: What the event started, to wait for it.
  @discardableResult
  public func send(_ event: S.Event) -> SentEvent {
    let origin = change(of: .event, event: event) { core, work, _ in
      guard !core.isStopped else { return }
      screen.handle(event, &core.state, &work)
    }
    return SentEvent(work: origin.work)
  }

  /// Cancels all work but writes, for good; ``states`` end.
  public func stop() {
    conclude { core in
      core.isStopped = true
      core.work.cancelAll()
    }
    news.end()
  }

  /// Cancels all work but writes, and streams that continue, until ``resume()``, which starts it
  /// again.
  public func suspend() {
    conclude { core in
      core.isSuspended = true
      core.work.suspend()
    }
  }

  /// Starts the work again that ``suspend()`` cancelled.
  public func resume() {
    conclude { core in
      core.isSuspended = false
      for id in core.work.idsInOrder { startTasks(id, &core) }
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

  /// Returns when no load and no write is running or waiting to, the navigator has gone where the
  /// screen said, and an observer has seen it all; or when the waiting task is cancelled.
  ///
  /// What was suspended is still awaited.
  public func idle() async {
    while true {
      let seen = workNews.version
      let isIdle = !isWorking && deliveries.isEmpty
      guard !isIdle, await workNews.arrive(after: seen) else { return }
    }
  }

  /// The newest state, for a consumer that has then seen all up to it.
  func newest(_ seen: inout UInt64) -> S.State {
    withCore { core in
      seen = news.version
      return core.state
    }
  }

  func withCore<Value>(
    _ body: (inout Core<S.State>) -> sending Value
  ) -> sending Value {
    core.withLock("\(S.self)", body)
  }
}
