import CurlewScreens
import Domain

/// A setting at a host that the user turns on or off, such as a star: its changes, and the last change if it was
/// rejected.
struct HostSetting<Target: Hashable & Sendable>: Screen {
  /// A change of the setting, which is also its retry.
  struct Event: Equatable, Sendable {
    let target: Target
    let isOn: Bool
  }

  struct State: Equatable, Sendable {
    fileprivate var pending = 0
    fileprivate var refused: Event?
    fileprivate var failure: LoadFailure?
  }

  let initial = State()
  /// Returns the change at the host.
  let change: @Sendable (Event) -> HostChange

  func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
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
  func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: "change", kind: .write, isLoading: false, failure: state.failure,
        retry: state.refused)
    ]
  }
}
