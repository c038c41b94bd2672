public import CurlewScreens

/// The pending changes that a screen makes at a host, and the last rejected change.
struct HostChanges<Target: Hashable & Sendable>: Equatable, Sendable {
  /// A setting that is turned on or off.
  struct Change: Equatable, Sendable {
    let target: Target
    let isOn: Bool
    /// The reason for the rejection.
    fileprivate(set) var failure: LoadFailure?
  }

  /// The last rejected change, unless its target is changed again.
  private(set) var refused: Change?
  private var pending: [Target: Int] = [:]

  mutating func begin(_ target: Target) {
    refused = nil
    pending[target, default: 0] += 1
  }

  /// Ends a change; the changes of a target end in their order.
  mutating func end(_ change: Change, _ result: Result<Void, any Error>) {
    pending[change.target, default: 1] -= 1
    if case .failure(let error) = result, pending[change.target] == 0 {
      refused = change
      refused?.failure = LoadFailure(error)
    }
  }

  /// Returns the load status for a screen.
  ///
  /// It has no indicator, because changes are applied optimistically.
  func load<Event>(retry: Event) -> LoadStatus<Event> {
    LoadStatus(
      name: .change, kind: .write, isLoading: false, failure: refused?.failure, retry: retry)
  }
}

extension WorkID {
  /// The identifier of the user's changes at a host in a screen's loads.
  public static let change: WorkID = "change"
}
