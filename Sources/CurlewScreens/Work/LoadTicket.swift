import Synchronization

/// The identity of a load: its job owns it, and the state that awaits the load's result refers to it.
///
/// A state is a value, which a parent may reset, keep and put back at any time. A load's values reach only a state that
/// refers to its ticket, and the runner cancels a load as soon as its state refers to another ticket, or to none:
///
/// - A state that was reset refers to no ticket, so it never sees the former load.
/// - A state that was replaced by a kept state refers to the ticket of another load, even if both are loading.
/// - The runner ends the ticket with the load, however the load ends. A state that was kept while it was loading, and is
///   put back later, refers to an ended ticket: its load is dead, and it counts as not loading.
/// - A state that is put back within the same change refers to a live ticket, and its load continues.
final class LoadTicket: Sendable {
  private let isEnded = Atomic(false)

  /// Whether the load may still change the state.
  var isLive: Bool { !isEnded.load(ordering: .acquiring) }

  func end() { isEnded.store(true, ordering: .releasing) }
}

/// A state that awaits the result of at most one load.
protocol LoadingState: Sendable {
  var ticket: LoadTicket? { get }
  /// Whether the state shows a load.
  var isLoading: Bool { get }
  /// Ends loading without a result.
  mutating func cancelLoading()
}

extension LoadingState {
  /// Ends loading if the load has ended without a result.
  mutating func endAbandonedLoad() {
    if isLoading, ticket?.isLive == false { cancelLoading() }
  }
}

extension Screen {
  /// Ends loading in a state that was kept while it was loading, and is put back.
  func endAbandonedLoad(_ state: inout State) {
    guard var awaiting = state as? any LoadingState, awaiting.isLoading else { return }
    awaiting.endAbandonedLoad()
    if let awaiting = awaiting as? State { state = awaiting }
  }
}

extension Work where State: LoadingState {
  /// Starts a load whose values reach only a state that refers to its ticket.
  mutating func load<Element: Sendable, Value: Sendable>(
    _ id: WorkID, _ ticket: LoadTicket, reloads: Bool = false, after delay: Duration = .zero,
    if condition: @escaping @Sendable (State) -> Bool = { _ in true },
    _ operation: @escaping @Sendable (_ each: (Element) -> Bool) async throws -> Value,
    started: @escaping @Sendable (inout State) -> Void = { _ in },
    each: @escaping @Sendable (inout State, Element, inout Work<State>) -> Void,
    finished:
      @escaping @Sendable (
        inout State, Result<Value, any Error>, inout Work<State>
      ) -> Void
  ) {
    latest(
      id, ticket: ticket, reloads: reloads, after: delay, if: condition,
      while: { $0.ticket === ticket }, delivering: operation, started: started,
      cancelled: { $0.endAbandonedLoad() }, each: each, finished: finished)
  }
}
