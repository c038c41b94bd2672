public import CurlewScreens
public import Domain

/// The user's changes that a host has not confirmed, and the decisions about them.
public struct PendingChanges: Screen {
  /// The events of the screen.
  public enum Event: Equatable, Sendable {
    /// The user requests that the changes are sent now.
    case sendNow
    /// The user decides about a change; without an identity, about the first that asks for a decision.
    case decide(PendingChange.Decision, on: PendingChange.ID? = nil)
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The changes, in their order; `nil` without a user whose changes are stored.
    public internal(set) var all: [PendingChange]?
    /// The first change that asks for a decision; without one, the first change.
    public var first: PendingChange? { all?.first { $0.decisions.count > 1 } ?? all?.first }
    fileprivate var write = HostWrite<Event>.State()

    /// Creates a state.
    public init(_ all: [PendingChange]? = nil) { self.all = all }
  }

  private let host: any CodeHost
  private let write: HostWrite<Event>

  /// Creates a screen for the changes at a host.
  public init(host: any CodeHost) {
    self.host = host
    write = HostWrite { event in
      switch event {
      case .sendNow: host.sendPendingChanges()
      case .decide(let decision, let id): id.map { host.decide(decision, on: $0) } ?? .refused
      }
    }
  }

  /// The initial state: no changes.
  public var initial: State { State() }

  /// The user's decisions.
  public var parts: [Part<State, Event>] { [Part(\.write, write) { $0 }] }

  /// Observes the changes, which other screens make, too.
  public func begin(_ state: inout State, _ work: inout Work<State>) {
    let changes = host.pendingChanges()
    state.all = changes.current
    guard state.all != nil else { return }
    work.follow("pending") {
      changes
    } each: { state, changes, _ in
      state.all = changes
    }
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    var event = event
    if case .decide(let decision, nil) = event {
      guard let first = state.first else { return }
      event = .decide(decision, on: first.id)
    }
    work.scope(\.write) { write.handle(event, &state.write, &$0) }
  }

  /// Reads the changes after any event: the response to a form submission without a script is rendered
  /// before the stream delivers them.
  func read(_ state: inout State) {
    if state.all != nil, let current = host.pendingChanges().current { state.all = current }
  }
}
