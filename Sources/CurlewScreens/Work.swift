import Synchronization

/// The work that a screen starts and cancels in response to an event, as a value.
///
/// There are four kinds of work. Each piece of work has a name (``WorkID``):
///
/// | method | purpose | delivers | when its screen is suspended |
/// | --- | --- | --- | --- |
/// | ``latest(_:after:if:while:_:started:cancelled:finished:)`` | loads data | one result | restarts on resume |
/// | ``latest(_:after:if:while:_:for:_:each:)`` | loads data | stored and current values | restarts on resume |
/// | ``write(_:begin:_:started:finished:)`` | changes data elsewhere | one result | continues |
/// | ``follow(_:continuesWhileSuspended:reconnecting:_:each:ended:)`` | reads a stream | elements | restarts or continues |
/// | ``timer(_:after:_:)`` | waits | nothing | fires on resume if it is due |
public struct Work<State>: Sendable {
  /// The time of the change that this work belongs to, measured on the screen's clock since the
  /// screen was created.
  public let now: Duration
  /// Whether the change reloads content without a user's request, as when the network is back.
  var isBackground = false
  var commands: [WorkCommand] = []
  /// The parts that have changed their ids since ``Screen/stateDidChange(_:_:)`` was last called.
  var moves: [PartMove] = []

  /// Creates an empty list of work, for tests that call ``Screen/handle(_:_:_:)``.
  public init(now: Duration = .zero) {
    self.now = now
  }

  /// Starts a load that replaces any load with the same name: the replaced load is cancelled, and
  /// its result is ignored (latest-wins).
  ///
  /// A load with a delay is debounced: a newer load with the same name replaces the waiting load and restarts the
  /// delay. A load that is already running continues until the new load starts.
  ///
  /// A load is cancelled when its view disappears, and restarts when the view comes back. Use
  /// ``write(_:begin:_:started:finished:)`` for an operation that changes something on a server.
  ///
  /// - Parameters:
  ///   - id: The name of the load.
  ///   - delay: How long to wait before the load starts.
  ///   - condition: A closure evaluated after the delay; the load is dropped if it returns false.
  ///   - isAwaited: A closure that returns whether the state still awaits the result. It is evaluated
  ///     after each change of the state; when it returns false, for example because a parent has reset
  ///     the state, the load is cancelled.
  ///   - operation: The operation to run. It begins on the runner's executor (the main actor under
  ///     a ``ScreenModel``).
  ///   - started: A closure that changes the state when the load starts; without a delay, that is
  ///     after the screen's function has returned.
  ///   - cancelled: A closure that changes the state when the load has started and won't finish: it was cancelled, or
  ///     replaced by a stream or a timer. The closure is not called when a newer load replaces the load, or when the
  ///     runner is stopped.
  ///   - finished: A closure that changes the state with the result, and may start more work. It is
  ///     called exactly once, unless the load is replaced or cancelled.
  public mutating func latest<Value: Sendable>(
    _ id: WorkID,
    after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    while isAwaited: (@Sendable (State) -> Bool)? = nil,
    _ operation: @escaping @Sendable () async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    cancelled: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void
  ) {
    start(
      Job(
        id: id, kind: .load, delay: delay, condition: condition,
        started: { state, _ in started(&state) }, while: isAwaited, cancelled: cancelled,
        run: { _ in await Job.Outcome(of: operation, finished) }))
  }

  /// Starts a write: its operation is called exactly once and never cancelled, even when the view,
  /// the part or the runner disappears.
  ///
  /// Writes with the same name run one after another, in the order of their events. Writes have
  /// their own namespace: a load may have the same name, and ``cancel(_:)`` does not affect writes.
  ///
  /// `finished` is not called when the part that started the write has been removed. If a failure
  /// must be rolled back in any case, start the write from the parent. To wait for the writes of a
  /// runner or a model, create it with a ``PendingWork``.
  ///
  /// - Parameters:
  ///   - queue: The name of the queue.
  ///   - begin: A closure that shows an edit in a source with its own edits and queues, such as a store, together with the
  ///     changes of `started`. It is called before the operation, in the order of the events, after the screen's function
  ///     has returned, and must not block. The write then does not wait for earlier writes with its name.
  ///   - operation: The operation to run. It begins on the runner's executor.
  ///   - started: A closure that changes the state (optimistically) after the screen's function has
  ///     returned, even if the operation has to wait in the queue.
  ///   - finished: A closure that changes the state with the result, and may start more work.
  public mutating func write<Value: Sendable>(
    _ queue: WorkID,
    begin: (@Sendable () -> Void)? = nil,
    _ operation: @escaping @Sendable () async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) {
    let begin = begin.map { Once($0) }
    start(
      Job(
        id: queue, kind: .write, isQueued: begin == nil,
        started: { state, work in
          if let begin { work.commands.append(.call { begin.call() }) }
          started(&state)
        },
        run: { _ in
          // The task may run before the queued calls of the change that started it.
          begin?.call()
          return await Job.Outcome(of: operation, finished)
        }))
  }

  /// Changes the state with each element of an asynchronous sequence, such as a socket's messages,
  /// a download's progress or a store's changes.
  ///
  /// The stream replaces the load, stream or timer with the same name. The next element is requested after the change
  /// has been applied (back-pressure).
  ///
  /// - Parameters:
  ///   - id: The name of the stream.
  ///   - continues: Whether the stream continues while the screen is suspended (no view shows it), because its source
  ///     can be read only once. By default the stream is cancelled, and restarts when the screen is resumed.
  ///   - pauses: The first and the longest pause before the sequence is made again after it has finished or failed, such
  ///     as `.seconds(5) ... .seconds(60)`; by default it is not. Each pause is twice as long as the last, and the first
  ///     again after an element. A suspended screen does not reconnect; `work.cancel(id)` ends the pause, too.
  ///   - source: A closure that makes the sequence. It begins on the runner's executor, and is called again each time
  ///     the stream restarts.
  ///   - each: A closure that changes the state with an element, and may start more work.
  ///   - ended: A closure that changes the state each time the sequence has finished or failed.
  public mutating func follow<Source: AsyncSequence & SendableMetatype>(
    _ id: WorkID,
    continuesWhileSuspended continues: Bool = false,
    reconnecting pauses: ClosedRange<Duration>? = nil,
    _ source: @escaping @Sendable () async throws -> Source,
    each: @escaping @Sendable (inout State, Source.Element, inout Work<State>) -> Void,
    ended:
      @escaping @Sendable (
        inout State, Result<Void, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) where Source.Element: Sendable, Source.AsyncIterator: SendableMetatype {
    follow(id, continues, pauses.map { RetryPauses($0) }, source, each, ended)
  }

  private mutating func follow<Source: AsyncSequence & SendableMetatype>(
    _ id: WorkID, _ continues: Bool, _ pauses: RetryPauses?,
    _ source: @escaping @Sendable () async throws -> Source,
    _ each: @escaping @Sendable (inout State, Source.Element, inout Work<State>) -> Void,
    _ ended: @escaping @Sendable (inout State, Result<Void, any Error>, inout Work<State>) -> Void
  ) where Source.Element: Sendable, Source.AsyncIterator: SendableMetatype {
    start(
      Job(
        id: id, kind: .stream(continuesWhileSuspended: continues),
        run: { emit in
          let hasArrived = Atomic(false)
          let outcome = await Job.Outcome(
            of: {
              for try await element in try await source() {
                guard emit(element, { state, work in each(&state, element, &work) }) else { return }
                hasArrived.store(true, ordering: .relaxed)
              }
            }, ended)
          guard var pauses else { return outcome }
          if hasArrived.load(ordering: .relaxed) { pauses.reset() }
          let pause = pauses.next()
          return Job.Outcome(
            change: { [pauses] state, work in
              // First, so that `ended` can cancel or replace it.
              work.timer(id, after: pause) { _, work in
                work.follow(id, continues, pauses, source, each, ended)
              }
              outcome.change(&state, &work)
            }, result: outcome.result)
        }))
  }

  /// Changes the state after a delay, and may start more work then.
  ///
  /// The timer replaces the load, stream or timer with the same name. A timer does not make ``Runner/isWorking`` true.
  public mutating func timer(
    _ id: WorkID, after delay: Duration,
    _ change: @escaping @Sendable (inout State, inout Work<State>) -> Void
  ) {
    start(
      Job(
        id: id, kind: .timer, delay: delay, started: change,
        run: { _ in Job.Outcome(change: { _, _ in }) }))
  }

  /// Navigates to a route, using the runner's ``Navigator``.
  public mutating func go(to route: any Route) {
    commands.append(.go(route))
  }

  /// Cancels the load, stream or timer with a name, whether it is waiting or running.
  public mutating func cancel(_ id: WorkID) {
    commands.append(.cancel(id))
  }

  /// Makes this event's ``PendingWork/finished()`` also wait for a load that an earlier event started, and for the work
  /// that the load's result starts; does nothing when no load has this name.
  ///
  /// For example, a refresh while the list is already loading finishes together with that load.
  public mutating func join(_ id: WorkID) {
    commands.append(.join(id))
  }

  // MARK: For tests that call a screen's functions

  /// The names of the work to start, in order.
  public var started: [WorkID] {
    commands.compactMap { if case .start(let job) = $0 { job.id } else { nil } }
  }

  /// The names of the work to cancel, in order.
  package var cancelled: [WorkID] {
    commands.compactMap { if case .cancel(let id) = $0 { id } else { nil } }
  }

  /// The routes to navigate to, in order.
  package var routes: [any Route] {
    commands.compactMap { if case .go(let route) = $0 { route } else { nil } }
  }

  // MARK: Parts

  mutating func start(_ job: Job<State>) {
    commands.append(.start(job))
  }

  /// Returns an empty list of work for a part.
  func inside<Part>(_ part: PartID, as: Part.Type) -> Work<Part> {
    var inner = Work<Part>(now: now)
    inner.isBackground = isBackground
    for move in moves where move.to.count > 1 && move.to[0] == part {
      inner.moves.append((Array(move.from.dropFirst()), Array(move.to.dropFirst())))
    }
    return inner
  }

  /// Adds the work of a part.
  mutating func add<Part>(_ work: Work<Part>, of lens: Lens<State, Part>) {
    commands += work.commands.map { command in
      switch command {
      case .start(let job): .start(Job<Part>.of(job).lifted(by: lens))
      case .cancel(let id): .cancel(id.inside(lens.id))
      case .join(let id): .join(id.inside(lens.id))
      case .move(let move): .move(([lens.id] + move.from, [lens.id] + move.to))
      case .go, .call, .read, .setOffline: command
      }
    }
  }
}

/// A change of the running work.
///
/// Not generic: the runtime looks up a generic type each time that generic code uses it.
enum WorkCommand: Sendable {
  case start(any AnyJob)
  case cancel(WorkID)
  case join(WorkID)
  case go(any Route)
  case move(PartMove)
  /// Calls a closure after the lock has been released.
  case call(@Sendable () -> Void)
  /// Updates the properties that follow a source.
  case read(ObjectIdentifier)
  case setOffline(Bool)
}

/// The path of a part before and after a change of its own id; the part's work is renamed.
typealias PartMove = (from: [PartID], to: [PartID])
