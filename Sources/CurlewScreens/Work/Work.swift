/// What a screen wants done after an event: work to start and work to stop, as a value.
///
/// There are four kinds of work, and each has a name (``WorkID``):
///
/// | | begins again when its view comes back | delivers | |
/// | --- | --- | --- | --- |
/// | ``latest(_:after:if:_:started:finished:)`` | yes | one result | loads something |
/// | ``write(_:_:started:finished:)`` | is never stopped | one result | changes something elsewhere |
/// | ``follow(_:whileSuspended:_:each:ended:)`` | as told | any number of elements | reads a stream |
/// | ``timer(_:after:_:)`` | goes off then, if its time has come | nothing | waits |
public struct Work<State>: Sendable {
  enum Command: Sendable {
    case start(Job<State>)
    case cancel(WorkID)
    case join(WorkID)
    case go(any Route)
  }

  /// The time of the change that this work belongs to, on the screen's clock since the screen
  /// began.
  public let now: Duration
  private(set) var commands: [Command] = []

  /// Creates a list without work, for tests that call ``Screen/handle(_:_:_:)``.
  public init(now: Duration = .zero) {
    self.now = now
  }

  /// Starts a load that replaces the older one with the same name: the replaced one is cancelled
  /// and can't change the state any more.
  ///
  /// With a delay it first waits. A newer load with the name takes the place of the one that waits,
  /// and the wait begins anew (debounce); the one that runs already goes on until the new one
  /// really starts. A load is cancelled when its view goes, and begun again when the view comes
  /// back: what changes something on a server is a ``write(_:_:started:finished:)``.
  ///
  /// - Parameters:
  ///   - id: The name of the load.
  ///   - delay: How long to wait before it starts.
  ///   - condition: Evaluated when the wait is over; the load is dropped where it returns false.
  ///   - operation: Loads. It begins on the runner's executor (the main actor under a
  ///     ``ScreenModel``), and leaves it where it awaits.
  ///   - started: Changes the state as the load starts; without a delay that is when the screen's
  ///     function has returned.
  ///   - finished: Changes the state with the result, and may start more work. It is called exactly
  ///     once, unless the load is replaced or cancelled.
  public mutating func latest<Value: Sendable>(
    _ id: WorkID,
    after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    _ operation: @escaping @Sendable () async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void
  ) {
    start(
      Job(
        id: id, kind: .load, delay: delay, condition: condition,
        started: { state, _ in started(&state) },
        run: { _ in await Job.Outcome(of: operation, finished) }))
  }

  /// Starts a write: its operation is called exactly once and carried to its end, whether the view,
  /// the part or the runner goes.
  ///
  /// Writes with one name queue in the order of their events; the names of writes are apart from
  /// those of other work, and ``cancel(_:)`` does not reach them. When the part of the screen that
  /// started it is gone, ``finished`` is not called: what must be undone when a write fails is
  /// started by the parent. ``Runner/writes`` can be waited for.
  ///
  /// - Parameters:
  ///   - queue: The name of the queue.
  ///   - operation: Writes. It begins on the runner's executor.
  ///   - started: Changes the state (optimistically) when the screen's function has returned, before
  ///     the operation is called, also where that must wait for its turn.
  ///   - finished: Changes the state with the result, and may start more work.
  public mutating func write<Value: Sendable>(
    _ queue: WorkID,
    _ operation: @escaping @Sendable () async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) {
    start(
      Job(
        id: queue, kind: .write, started: { state, _ in started(&state) },
        run: { _ in await Job.Outcome(of: operation, finished) }))
  }

  /// Changes the state with each element of an asynchronous sequence: a socket, a progress, a
  /// store.
  ///
  /// It replaces the load, stream or timer with the same name. The next element is awaited when the
  /// change is made.
  ///
  /// - Parameters:
  ///   - id: The name of the stream.
  ///   - suspension: What becomes of it while the screen is suspended because its view is gone.
  ///   - source: Makes the sequence. It begins on the runner's executor, and is called anew at each
  ///     resume of a stream that restarts.
  ///   - each: Changes the state with an element, and may start more work.
  ///   - ended: Changes the state when the sequence has ended by itself or failed.
  public mutating func follow<Source: AsyncSequence & SendableMetatype>(
    _ id: WorkID,
    whileSuspended suspension: StreamSuspension = .restarts,
    _ source: @escaping @Sendable () async throws -> Source,
    each: @escaping @Sendable (inout State, Source.Element, inout Work<State>) -> Void,
    ended:
      @escaping @Sendable (
        inout State, Result<Void, any Error>, inout Work<State>
      ) -> Void = { _, _, _ in }
  ) where Source.Element: Sendable, Source.AsyncIterator: SendableMetatype {
    start(
      Job(
        id: id, kind: .stream(suspension),
        run: { emit in
          await Job.Outcome(
            of: {
              for try await element in try await source() {
                guard emit({ state, work in each(&state, element, &work) }) else { return }
              }
            }, ended)
        }))
  }

  /// Changes the state when some time has passed, and may start more work then.
  ///
  /// It replaces the load, stream or timer with the same name. A screen that only waits for one is
  /// not working (``Runner/isWorking``).
  public mutating func timer(
    _ id: WorkID, after delay: Duration,
    _ change: @escaping @Sendable (inout State, inout Work<State>) -> Void
  ) {
    start(
      Job(
        id: id, kind: .timer, delay: delay, started: change,
        run: { _ in Job.Outcome(change: { _, _ in }) }))
  }

  /// Takes the user to another place; the runner's ``Navigator`` does it.
  public mutating func go(to route: any Route) {
    commands.append(.go(route))
  }

  /// Stops the load, stream or timer with a name, whether it waits or runs.
  public mutating func cancel(_ id: WorkID) {
    commands.append(.cancel(id))
  }

  /// Has whoever waits for this event (``SentEvent``) wait for the load with a name, too, which an
  /// earlier event has started, and for what its result leads to; does nothing when there is none.
  ///
  /// So a refresh that finds the list loading already ends with what is being loaded.
  public mutating func join(_ id: WorkID) {
    commands.append(.join(id))
  }

  // MARK: For tests that call a screen's functions

  /// The names of the work that is to start, in order.
  public var started: [WorkID] {
    commands.compactMap { if case .start(let job) = $0 { job.id } else { nil } }
  }

  /// The names of the work that is to stop, in order.
  public var cancelled: [WorkID] {
    commands.compactMap { if case .cancel(let id) = $0 { id } else { nil } }
  }

  /// Where the user is to be taken, in order.
  public var routes: [any Route] {
    commands.compactMap { if case .go(let route) = $0 { route } else { nil } }
  }

  // MARK: Parts

  private mutating func start(_ job: Job<State>) {
    commands.append(.start(job))
  }

  mutating func add(_ more: [Command]) {
    commands += more
  }

  /// Adds the work of a part.
  mutating func add<Part>(_ work: Work<Part>, of lens: Lens<State, Part>) {
    for command in work.commands {
      switch command {
      case .cancel(let id): commands.append(.cancel(id.inside(lens.id)))
      case .join(let id): commands.append(.join(id.inside(lens.id)))
      case .go(let route): commands.append(.go(route))
      case .start(let job): commands.append(.start(job.lifted(by: lens)))
      }
    }
  }
}

/// What becomes of a stream while its screen is suspended.
public enum StreamSuspension: Sendable {
  /// It is cancelled, and made anew when the screen is resumed.
  case restarts
  /// It goes on, because its source can be read only once.
  case continues
}
