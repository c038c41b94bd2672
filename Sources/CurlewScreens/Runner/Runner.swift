package import CurlewSupport
import Foundation
import Synchronization

/// Runs a screen: owns its state, its clock and its running work.
///
/// All of a screen's concurrency is here. ``send(_:)`` applies an event before it returns. Each piece
/// of work runs in its own task and has a generation; its result is applied only while this generation
/// is the current generation of its name, so replaced work can't change the state. Every change is made
/// under one lock, and each new state is delivered once; a slow consumer gets the newest state. Calls
/// to other code, such as cancelling a task, are made after the lock has been released.
///
/// Apps use a ``ScreenModel`` or ``Screen/states(for:clock:)``; adapters to other user interfaces
/// use a runner.
public final class Runner<S: Screen>: Sendable {
  let screen: S
  let parts: [Part<S.State, S.Event>]
  let clock: RelativeClock
  let executor: Executor
  let navigator: (any Navigator)?
  let onChange: (@Sendable () -> Void)?
  /// Called when `isWorking` has changed, but the state has not.
  let onWorkChange: (@Sendable () -> Void)?
  let observer: (@Sendable (Duration, RunnerRecord<S>) -> Void)?
  /// The listener for the requests of the runner's work.
  let listener: (any RequestListener)?
  private let storage: Mutex<RunnerStorage<S.State>>
  /// The thread that holds the storage's lock; zero when no thread holds it.
  private let lockOwner = Atomic<UInt>(0)
  let stateChanges = ChangeSignal()
  /// Signals changes of `isWorking` and finished deliveries.
  let workChanges = ChangeSignal()
  /// The calls that the screen made to its own runner during a change, to make after it.
  let deferredCalls = Mutex((calls: [@Sendable () -> Void](), isMaking: false))
  let hasDeferredCalls = Atomic(false)
  private let errors: ScreenErrorPolicy
  /// The maximum number of successive changes that one change may cause without an event or a result from outside.
  let chainLimit: Int
  /// The writes that have not finished; they continue after the runner has been deallocated.
  package let writes: PendingWork

  /// The executor on which a runner's work begins and its results are applied.
  public enum Executor: Sendable {
    /// Any thread of the concurrency pool.
    case anywhere
    /// The main actor, so that state changes need no hop to it.
    case mainActor
    /// A custom executor, for example in tests.
    case custom(any TaskExecutor)
  }

  /// Creates a runner whose screen is in its initial state.
  ///
  /// - Parameters:
  ///   - screen: The screen to run.
  ///   - clock: The clock for all delays.
  ///   - executor: The executor on which work begins and results are applied.
  ///   - navigator: The navigator for the screen's routes.
  ///   - writes: The count of pending writes; share it to wait for the writes of several runners.
  ///   - errors: Whether a mistake in the screen, such as an endless loop, stops the process or ends the screen.
  ///   - chainLimit: The maximum number of successive changes that one change may cause: by `stateDidChange`, by timers
  ///     without a delay and by events that the screen sends itself. More count as an endless loop, as does a state that
  ///     `stateDidChange` makes again.
  ///   - activity: The options of the runner's ``activity``; without options, it is not computed.
  ///   - onChange: A closure called after each change of the state or the activity, on the thread that caused it. With a
  ///     single-threaded executor it sees every state; otherwise use ``states``.
  ///   - observer: A closure called with each occurrence, in order, and its time since the runner's
  ///     creation, on the runner's clock. It is called on the thread that caused the occurrence and
  ///     outside any lock; it may send events.
  public convenience init(
    _ screen: S,
    clock: any Clock<Duration> = ContinuousClock(),
    executor: Executor = .anywhere,
    navigator: (any Navigator)? = nil,
    writes: PendingWork? = nil,
    errors: ScreenErrorPolicy = .default,
    chainLimit: Int = 10_000,
    activity: ScreenActivity.Options? = nil,
    onChange: (@Sendable () -> Void)? = nil,
    observer: (@Sendable (Duration, RunnerRecord<S>) -> Void)? = nil
  ) {
    self.init(
      screen, clock: clock, executor: executor, navigator: navigator, writes: writes,
      observer: observer, listener: nil, activity: activity, onChange: onChange, errors: errors,
      chainLimit: chainLimit)
  }

  /// Creates a runner for an adapter that may also observe its work's requests and changes of
  /// `isWorking`.
  package init(
    _ screen: S, clock: any Clock<Duration>, executor: Executor = .anywhere,
    navigator: (any Navigator)?, writes: PendingWork?,
    observer: (@Sendable (Duration, RunnerRecord<S>) -> Void)?,
    listener: (any RequestListener)?, activity: ScreenActivity.Options?,
    onChange: (@Sendable () -> Void)?,
    onWorkChange: (@Sendable () -> Void)? = nil, state: S.State? = nil,
    errors: ScreenErrorPolicy = .default, chainLimit: Int = 10_000
  ) {
    (self.errors, self.chainLimit) = (errors, chainLimit)
    self.screen = screen
    parts = screen.parts
    self.executor = executor
    self.navigator = navigator
    self.writes = writes ?? PendingWork()
    self.onChange = onChange
    self.onWorkChange = onWorkChange
    self.observer = observer
    self.listener = listener
    self.clock = RelativeClock(clock)
    storage = Mutex(
      RunnerStorage(
        state ?? screen.initial, isObserved: observer != nil,
        tracker: activity.map { ActivityTracker($0) }))
    #if DEBUG
      for problem in Self.problems(of: parts) { ScreenErrors.report(problem) }
    #endif
    if let host = WorkExecutor.current { (host as? any RunnerHost)?.add(self) }
  }

  deinit {
    let effects = withStorage { storage in
      storage.work.cancelAll()
      return storage.work.effects
    }
    for task in effects.tasks { task.cancel() }
    for event in effects.events { event.end() }
  }

  /// The newest state; during a silent reload (``ScreenActivity/Options``), the state before the reload.
  public var state: S.State {
    if isChanging { return misused(returning: screen.initial) }
    return withStorage { $0.shown }
  }

  /// Whether loads or writes are running or waiting; streams and timers don't count.
  public var isWorking: Bool {
    if isChanging { return misused(returning: false) }
    return withStorage { $0.work.isWorking }
  }

  /// The reason why the screen was ended: a mistake in it, such as an endless loop (``ScreenErrorPolicy/endsScreen``);
  /// `nil` otherwise.
  public var failure: LoadFailure? {
    if isChanging { return nil }
    return withStorage { $0.failure }
  }

  /// Applies an event and updates the state before it returns; does nothing after ``stop()``.
  ///
  /// An event that the screen itself sends while it changes its state is applied after the change.
  ///
  /// - Returns: A handle to wait for the work that the event started.
  @discardableResult
  public func send(_ event: S.Event) -> PendingWork {
    if isChanging {
      deferCall { $0.send(event) }
      return .none
    }
    let origin = change { storage, work, origin in
      origin.isEvent = true
      record(.event(event), in: &storage)
      guard !storage.isStopped else { return }
      begin(&storage, &work)
      handle(event, &storage, &work)
    }
    return origin.waiters.first ?? .none
  }

  /// Calls ``Screen/begin(_:_:)`` of the screen and its parts, unless they have begun; ``send(_:)`` and
  /// ``resume()`` call it, too.
  package func begin() {
    if isChanging { return deferCall { $0.begin() } }
    change { storage, work, _ in begin(&storage, &work) }
  }

  private func record(_ record: RunnerRecord<S>, in storage: inout RunnerStorage<S.State>) {
    guard let observer else { return }
    storage.deliveries.append { [now = clock.now] in observer(now, record) }
  }

  private func begin(_ storage: inout RunnerStorage<S.State>, _ work: inout Work<S.State>) {
    guard !storage.hasBegun, !storage.isStopped else { return }
    storage.hasBegun = true
    screen.beginAll(&storage.state, &work)
    if let tracker = storage.tracker { observeConnection(tracker.options, &work) }
  }

  /// Cancels all work except writes permanently, and ends ``states``.
  public func stop() {
    if isChanging { return deferCall { $0.stop() } }
    change { storage, _, _ in
      storage.isStopped = true
      storage.work.cancelAll()
    }
  }

  /// Cancels all work until ``resume()`` restarts it, except writes and streams that continue while
  /// suspended.
  public func suspend() {
    if isChanging { return deferCall { $0.suspend() } }
    change { storage, _, _ in
      if !storage.isSuspended { record(.suspended(true), in: &storage) }
      storage.isSuspended = true
      storage.suspendedAt = storage.suspendedAt ?? clock.now
      storage.work.suspend()
    }
  }

  /// Restarts the work that ``suspend()`` cancelled; reloads the content if it is stale by now
  /// (``ScreenActivity/Options``).
  public func resume() {
    if isChanging { return deferCall { $0.resume() } }
    change { storage, work, _ in
      if storage.isSuspended { record(.suspended(false), in: &storage) }
      storage.isSuspended = false
      if let time = storage.suspendedAt.take() { storage.tracker?.resume(after: clock.now - time) }
      storage.starting = storage.work.idsInOrder
      begin(&storage, &work)
    }
  }

  /// Marks the events as finished: ``states`` end when no work is left.
  func finish() {
    change { storage, _, _ in storage.isFinished = true }
  }

  /// The current state, then each new state; a slow consumer gets the newest state.
  ///
  /// The sequence ends when the runner is stopped or the consuming task is cancelled. It can have
  /// any number of consumers.
  public var states: some AsyncSequence<S.State, Never> & Sendable { States { (self, nil) } }

  /// Returns when no load or write is running or waiting, and all calls to the navigator and the
  /// observer have been made, or when the waiting task is cancelled.
  ///
  /// Suspended loads count as waiting.
  public func waitUntilIdle() async {
    await workChanges.wait {
      withStorage { $0.work.isWorking || $0.isDelivering || !$0.deliveries.isEmpty }
    }
  }

  private static var thread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Whether the current thread is changing the state, so that the screen is calling its own runner.
  var isChanging: Bool {
    // Only this thread can have stored its own id, so there is no race.
    lockOwner.load(ordering: .relaxed) == Self.thread
  }

  /// Returns a value instead of the one that the screen asked its own runner for, which would wait for itself.
  func misused<Value>(returning value: Value) -> Value {
    let problem =
      "\(S.self) read its own runner while it was changing its state. Its functions get the state as a parameter."
    errors.stop(problem)
    deferCall { runner in runner.change { storage, _, _ in runner.fail(problem, &storage) } }
    return value
  }

  func deferCall(_ call: @escaping @Sendable (Runner) -> Void) {
    deferredCalls.withLock { own in
      own.calls.append { [weak self] in if let self { call(self) } }
      hasDeferredCalls.store(true, ordering: .relaxed)
    }
  }

  /// Ends the screen because of a mistake in it, or stops the process; writes go on.
  func fail(_ problem: String, _ storage: inout RunnerStorage<S.State>) {
    errors.stop(problem)
    guard storage.failure == nil else { return }
    storage.failure = LoadFailure(ScreenError(description: problem))
    storage.isStopped = true
    storage.starting = []
    storage.work.cancelAll()
    storage.work.effects.calls.append { ScreenErrors.report(problem) }
  }

  /// Calls a closure while holding the lock.
  func withStorage<Value>(
    _ body: (inout RunnerStorage<S.State>) -> sending Value
  ) -> sending Value {
    storage.withLock { storage in
      lockOwner.store(Self.thread, ordering: .relaxed)
      defer { lockOwner.store(0, ordering: .relaxed) }
      return body(&storage)
    }
  }
}
