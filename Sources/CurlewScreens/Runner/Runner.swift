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
  let clock: RelativeClock
  let executor: Executor
  let navigator: (any Navigator)?
  let onChange: (@Sendable (RunnerChange) -> Void)?
  let observer: (@Sendable (RunnerRecord<S>) -> Void)?
  /// What observers, the navigator and those who wait are still to be told.
  let deliveries = DeliveryQueue()
  let storage: ScreenLock<S.State>
  let stateChanges = ChangeSignal()
  /// News of whether work goes on.
  let workChanges = ChangeSignal()
  /// The writes that have not finished; they go on when the runner is gone.
  public let writes: PendingWork

  /// Where a runner's work begins and its results are applied.
  public enum Executor: Sendable {
    /// Any thread of the concurrency pool.
    case anywhere
    /// The main actor, so that states change there without a hop.
    case mainActor
    /// An executor of the caller's, as tests use it.
    case custom(any TaskExecutor)
  }

  /// Creates a runner whose screen is in its initial state.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - clock: The clock of all delays.
  ///   - executor: Where work begins and its results are applied.
  ///   - navigator: Goes where the screen says.
  ///   - writes: Counts the writes; share one to wait for those of several runners.
  ///   - onChange: Called after each new state by whoever caused it. With an executor on one thread
  ///     it sees every state; use ``states`` otherwise.
  ///   - observer: Called with all that happens, in order, by whoever caused it and outside any lock; it
  ///     may send events.
  public convenience init(
    _ screen: S,
    clock: any Clock<Duration> = ContinuousClock(),
    executor: Executor = .anywhere,
    navigator: (any Navigator)? = nil,
    writes: PendingWork? = nil,
    onChange: (@Sendable () -> Void)? = nil,
    observer: (@Sendable (RunnerRecord<S>) -> Void)? = nil
  ) {
    var onAnyChange: (@Sendable (RunnerChange) -> Void)?
    if let onChange { onAnyChange = { if $0.contains(.state) { onChange() } } }
    self.init(screen, clock, executor, navigator, writes, observer, onAnyChange: onAnyChange)
  }

  /// Creates a runner that tells when work begins and ends, too.
  init(
    _ screen: S, _ clock: any Clock<Duration>, _ executor: Executor, _ navigator: (any Navigator)?,
    _ writes: PendingWork?, _ observer: (@Sendable (RunnerRecord<S>) -> Void)?,
    onAnyChange: (@Sendable (RunnerChange) -> Void)?
  ) {
    self.screen = screen
    parts = screen.parts
    self.executor = executor
    self.navigator = navigator
    self.writes = writes ?? PendingWork()
    onChange = onAnyChange
    self.observer = observer
    self.clock = RelativeClock(clock)
    storage = ScreenLock(RunnerStorage(screen.initial, isObserved: observer != nil))
  }

  deinit {
    let effects = withStorage { storage in
      storage.work.cancelAll()
      return storage.work.takeEffects()
    }
    for task in effects.tasks { task.cancel() }
    for event in effects.events { event.leave() }
  }

  /// The newest state.
  public var state: S.State { withStorage { $0.state } }

  /// Whether loads or writes are running or waiting to; streams and timers don't count.
  public var isWorking: Bool { withStorage { $0.work.isWorking } }

  /// Applies an event; when it returns, the state has changed.
  ///
  /// After ``stop()`` it does nothing.
  ///
  /// - Returns: What the event started, to wait for it.
  @discardableResult
  public func send(_ event: S.Event) -> SentEvent {
    let origin = change(of: .event, event: event) { storage, work, _ in
      guard !storage.isStopped else { return }
      screen.handle(event, &storage.state, &work)
    }
    return SentEvent(work: origin.work)
  }

  /// Cancels all work but writes, for good; ``states`` end.
  public func stop() {
    conclude { storage in
      storage.isStopped = true
      storage.work.cancelAll()
    }
    stateChanges.end()
  }

  /// Cancels all work but writes, and streams that continue, until ``resume()``, which starts it
  /// again.
  public func suspend() {
    conclude { storage in
      storage.isSuspended = true
      storage.work.suspend()
    }
  }

  /// Starts the work again that ``suspend()`` cancelled.
  public func resume() {
    conclude { storage in
      storage.isSuspended = false
      for id in storage.work.idsInOrder { startTasks(id, &storage) }
    }
  }

  /// Says that no more events will come: ``states`` end when the work that runs has ended.
  func finish() {
    withStorage { storage in
      storage.isFinished = true
      if storage.isOver { stateChanges.end() }
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
      let seen = workChanges.version
      let isIdle = !isWorking && deliveries.isEmpty
      guard !isIdle, await workChanges.arrive(after: seen) else { return }
    }
  }

  /// The newest state, for a consumer that has then seen all up to it.
  func newest(_ seen: inout UInt64) -> S.State {
    withStorage { storage in
      seen = stateChanges.version
      return storage.state
    }
  }

  func withStorage<Value>(
    _ body: (inout RunnerStorage<S.State>) -> sending Value
  ) -> sending Value {
    storage.withLock("\(S.self)", body)
  }
}
