import CurlewScreens
import Domain

/// The user's changes of one kind at a host, and the last one if it was rejected.
struct HostWrite<Change: Equatable & Sendable>: Screen {
  /// A change, which is also its retry.
  typealias Event = Change

  struct State: Equatable, Sendable {
    fileprivate var pending = 0
    fileprivate var refused: Change?
    fileprivate var failure: LoadFailure?
  }

  let initial = State()
  /// Returns the change at the host.
  let change: @Sendable (Change) -> HostChange

  func handle(_ event: Change, _ state: inout State, _ work: inout Work<State>) {
    let change = change(event)
    (state.refused, state.failure) = (nil, nil)
    state.pending += 1
    work.write(
      "change", begin: change.begin, change.finish,
      finished: { state, result, _ in
        state.pending -= 1
        guard case .failure(let error) = result, state.pending == 0 else { return }
        (state.refused, state.failure) = (event, LoadFailure(error))
      })
  }

  /// The rejected change; without an indicator, because changes are applied optimistically.
  func loads(in state: State) -> [LoadStatus<Change>] {
    [
      LoadStatus(
        name: "change", kind: .write, isLoading: false, failure: state.failure,
        retry: state.refused)
    ]
  }
}

/// A setting at a host that the user turns on or off, such as a star.
struct HostSetting<Target: Hashable & Sendable>: Equatable, Sendable {
  let target: Target
  let isOn: Bool
}
