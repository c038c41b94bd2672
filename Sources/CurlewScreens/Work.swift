/// The name of a piece of a screen's work; there is at most one running under each name.
public struct WorkID: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The name.
  public let description: String

  /// Creates a name.
  public init(stringLiteral name: String) {
    description = name
  }
}

/// What a screen wants done after an event: work to start and work to stop, as a value.
public struct Work<State>: Sendable {
  enum Command: Sendable {
    case start(Job<State>)
    case cancel(WorkID)
    case go(any Route)
  }

  /// The time of the change that this work belongs to, on the screen's clock since the screen began:
  /// for what counts down, however late a timer goes off.
  public let now: Duration
  private(set) var commands: [Command] = []

  init(now: Duration) {
    self.now = now
  }

  /// Starts work that replaces the older one under the same name: the replaced one is cancelled
  /// and can't change the state any more.
  ///
  /// With a delay it first waits. Newer work under the name takes the place of what waits, and the
  /// wait begins anew (debounce); what runs already goes on until the new work really starts.
  ///
  /// - Parameters:
  ///   - id: The name of the work.
  ///   - delay: How long to wait before it starts.
  ///   - condition: Asked when the wait is over; where it says no, the work is dropped.
  ///   - operation: The work. It begins on the runner's executor (the main actor under a
  ///     ``ScreenModel``), and leaves it where it awaits.
  ///   - started: Changes the state as the work starts.
  ///   - finished: Changes the state with its result. It is called exactly once, unless the work
  ///     is replaced or cancelled.
  public mutating func latest<Value: Sendable>(
    _ id: WorkID,
    after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    _ operation: @escaping @Sendable () async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    finished: @escaping @Sendable (inout State, Result<Value, any Error>) -> Void
  ) {
    commands.append(
      .start(
        Job(id: id, delay: delay, condition: condition, started: started) {
          let result: Result<Value, any Error>
          do {
            result = .success(try await operation())
          } catch {
            result = .failure(error)
          }
          return { state in finished(&state, result) }
        }))
  }

  /// Changes the state when some time has passed.
  ///
  /// A timer is stopped and replaced by its name as work is, but a screen that only waits for one
  /// has nothing to do (``Runner/isWorking``).
  public mutating func timer(
    _ id: WorkID, after delay: Duration, _ change: @escaping @Sendable (inout State) -> Void
  ) {
    commands.append(
      .start(
        Job(id: id, delay: delay, isTimer: true, condition: { _ in true }, started: change) {
          { _ in }
        }))
  }

  /// Takes the person to another place; the runner's ``Navigator`` does it.
  public mutating func go(to route: any Route) {
    commands.append(.go(route))
  }

  /// Stops the work under a name, whether it waits or runs.
  public mutating func cancel(_ id: WorkID) {
    commands.append(.cancel(id))
  }

  /// Lets a part of the screen, with a state of its own, add its work.
  ///
  /// ```swift
  /// case .search(let event):
  ///   work.scope(\.search) { search.handle(event, &state.search, &$0) }
  /// ```
  public mutating func scope<Part>(
    _ keyPath: any WritableKeyPath<State, Part> & Sendable, _ body: (inout Work<Part>) -> Void
  ) {
    var work = Work<Part>(now: now)
    body(&work)
    commands += work.commands.map { command in
      switch command {
      case .cancel(let id): .cancel(id)
      case .go(let route): .go(route)
      case .start(let job): .start(job.scoped(to: keyPath))
      }
    }
  }
}

/// One piece of work, ready to run.
struct Job<State>: Sendable {
  typealias Change = @Sendable (inout State) -> Void

  let id: WorkID
  let delay: Duration
  var isTimer = false
  let condition: @Sendable (State) -> Bool
  let started: Change
  /// Does the work and returns what it changes.
  let run: @Sendable () async -> Change

  func scoped<Whole>(to keyPath: any WritableKeyPath<Whole, State> & Sendable) -> Job<Whole> {
    let (condition, started, run) = (condition, started, run)
    return Job<Whole>(
      id: id, delay: delay, isTimer: isTimer,
      condition: { condition($0[keyPath: keyPath]) },
      started: { started(&$0[keyPath: keyPath]) },
      run: {
        let change = await run()
        return { change(&$0[keyPath: keyPath]) }
      })
  }
}
