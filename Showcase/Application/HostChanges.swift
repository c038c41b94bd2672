public import CurlewScreens
import Domain

/// The changes that a screen makes at a host: the pending changes, and the last rejected change.
struct HostChanges<Target: Hashable & Sendable>: Equatable, Sendable {
  /// A setting that is turned on or off.
  struct Change: Equatable, Sendable {
    let target: Target
    let isOn: Bool
  }

  /// The last rejected change.
  private(set) var refused: Change?
  /// The reason for the rejection.
  private(set) var failure: LoadFailure?
  private var newest: [Target: Int] = [:]
  private var count = 0

  /// Begins a change, and returns its number.
  mutating func begin(_ change: Change) -> Int {
    (refused, failure) = (nil, nil)
    count += 1
    newest[change.target] = count
    return count
  }

  /// Ends a change; ignores a rejection if the user has changed the same target again since.
  mutating func end(_ change: Change, _ number: Int, _ result: Result<Void, any Error>) {
    guard newest[change.target] == number else { return }
    newest[change.target] = nil
    if case .failure(let error) = result { (refused, failure) = (change, LoadFailure(error)) }
  }

  /// Returns the load status for a screen.
  ///
  /// It has no indicator, because changes are applied optimistically.
  func load<Event>(retry: Event) -> LoadStatus<Event> {
    LoadStatus(name: .change, kind: .write, isLoading: false, failure: failure, retry: retry)
  }
}

extension WorkID {
  /// The identifier of the user's changes at a host in a screen's loads.
  public static let change: WorkID = "change"
}
