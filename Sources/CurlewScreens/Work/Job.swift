/// One piece of work, ready to run.
///
/// A class, because it is large and is often passed along.
final class Job<State>: AnyJob {
  typealias Change = @Sendable (inout State, inout Work<State>) -> Void
  /// Applies a change before the work ends, with the value that causes it, and returns false when the work has been
  /// replaced or cancelled.
  typealias Emit = @Sendable (_ value: (any Sendable)?, _ change: @escaping Change) -> Bool
  /// Performs the work.
  typealias Run = @Sendable (_ emit: @escaping Emit) async -> Outcome

  /// The change that finished work applies, and the result that causes it.
  struct Outcome: Sendable {
    let change: Change
    var result: WorkResult?
  }

  let id: WorkID
  let kind: WorkKind
  /// The identity of a load for the state that awaits its result.
  let ticket: LoadTicket?
  /// Whether the job is a write that waits for the earlier writes with its name.
  let isQueued: Bool
  /// The shared value that a stream keeps a property equal to, by calling `started`; `nil` for other work.
  let source: ObjectIdentifier?
  /// Whether the job's requests don't use a cache (``Reload``).
  let reloads: Bool
  let delay: Duration
  let condition: @Sendable (State) -> Bool
  let started: Change
  /// Returns whether the state still awaits the load's result; `nil` if it always does.
  let isAwaited: (@Sendable (State) -> Bool)?
  /// Called when the load ends without a result and no newer load replaces it.
  let cancelled: @Sendable (inout State) -> Void
  let run: Run
  /// The removable parts that contain the work, the innermost first.
  let presences: [Presence<State>]
  #if DEBUG
    /// Returns how many of the job's conditions a state of its outermost part fulfils; `nil` for a state of another
    /// type.
    let fulfilled: (@Sendable (Any) -> Int?)?
  #endif

  init(
    id: WorkID, kind: WorkKind, ticket: LoadTicket? = nil, isQueued: Bool = true,
    source: ObjectIdentifier? = nil, reloads: Bool = false, delay: Duration = .zero,
    condition: @escaping @Sendable (State) -> Bool = { _ in true },
    started: @escaping Change = { _, _ in },
    while isAwaited: (@Sendable (State) -> Bool)? = nil,
    cancelled: @escaping @Sendable (inout State) -> Void = { _ in },
    run: @escaping Run,
    presences: [Presence<State>] = [], fulfilled: (@Sendable (Any) -> Int?)? = nil
  ) {
    (self.id, self.kind, self.ticket, self.isQueued) = (id, kind, ticket, isQueued)
    (self.source, self.reloads, self.delay) = (source, reloads, delay)
    (self.condition, self.started, self.isAwaited) = (condition, started, isAwaited)
    (self.cancelled, self.run, self.presences) = (cancelled, run, presences)
    #if DEBUG
      self.fulfilled = fulfilled
    #endif
  }

  /// Returns the job with its type: all jobs of a runner have the runner's state type.
  static func of(_ job: any AnyJob) -> Job { unsafeDowncast(job, to: Job.self) }

  var isGuarded: Bool { isAwaited != nil }

  func rename(_ index: Int, _ element: ElementID?) { presences[index].rename(element) }

  // Not `map(\.path)`: in generic code, each call creates the key path again, which takes 15,000
  // instructions.
  var parts: [[PartID]] { presences.isEmpty ? [] : presences.map { $0.path } }

  /// Returns the same job, expressed in terms of the parent's state.
  func lifted<Whole>(by lens: Lens<Whole, State>) -> Job<Whole> {
    let (condition, started, run, cancelled) = (condition, started, run, cancelled)
    @Sendable func lift(_ change: @escaping Change) -> Job<Whole>.Change {
      { whole, work in lens.update(&whole, &work, change) }
    }
    var isLiftedAwaited: (@Sendable (Whole) -> Bool)?
    if let isAwaited { isLiftedAwaited = { lens.get($0).map(isAwaited) ?? true } }
    #if DEBUG
      let fulfilled: @Sendable (Any) -> Int? = { [isAwaited] part in
        (part as? State).map { [condition($0), isAwaited?($0) == true].count { $0 } }
      }
    #else
      let fulfilled: (@Sendable (Any) -> Int?)? = nil
    #endif
    return Job<Whole>(
      id: id.inside(lens.id), kind: kind, ticket: ticket, isQueued: isQueued, source: source,
      reloads: reloads, delay: delay, condition: { lens.get($0).map(condition) ?? false },
      started: lift(started), while: isLiftedAwaited,
      cancelled: { whole in lens.modify(&whole, cancelled) },
      run: { emit in
        let outcome = await run { value, change in emit(value, lift(change)) }
        return Job<Whole>.Outcome(change: lift(outcome.change), result: outcome.result)
      },
      presences: presences.map { $0.lifted(by: lens) } + (lens.presence.map { [$0] } ?? []),
      fulfilled: fulfilled)
  }
}

/// A job without the type of its screen's state, as a ``WorkTable`` stores it.
protocol AnyJob: AnyObject, Sendable {
  var id: WorkID { get }
  var kind: WorkKind { get }
  var ticket: LoadTicket? { get }
  var delay: Duration { get }
  /// The paths of the removable parts that contain the work.
  var parts: [[PartID]] { get }
  /// Updates the id of one of the parts that contain the work.
  func rename(_ index: Int, _ element: ElementID?)
  var isGuarded: Bool { get }
}

typealias WorkResult = Result<any Sendable, any Error>

enum WorkKind: Equatable, Sendable {
  case load, write, timer
  case stream(continuesWhileSuspended: Bool)

  /// Whether ``PendingWork`` and ``Runner/isWorking`` count work of this kind; streams and timers
  /// don't count.
  var counts: Bool { self == .load || self == .write }
}

extension Job.Outcome {
  init<Value: Sendable>(
    of operation: @Sendable () async throws -> Value,
    _ finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void
  ) async {
    do {
      let value = try await operation()
      self.init(change: { finished(&$0, .success(value), &$1) }, result: .success(value))
    } catch {
      self.init(change: { finished(&$0, .failure(error), &$1) }, result: .failure(error))
    }
  }
}
