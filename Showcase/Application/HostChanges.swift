public import CurlewScreens
import Domain

/// The changes that a screen makes at a host: those under way, and the last one that was refused.
struct HostChanges<Target: Hashable & Sendable>: Equatable, Sendable {
  /// Something that is turned on or off.
  struct Change: Equatable, Sendable {
    let target: Target
    let isOn: Bool
  }

  /// The change that was refused last.
  private(set) var refused: Change?
  /// Why it was.
  private(set) var failure: LoadFailure?
  private var newest: [Target: Int] = [:]
  private var count = 0

  /// Begins a change; returns its number.
  mutating func begin(_ change: Change) -> Int {
    (refused, failure) = (nil, nil)
    count += 1
    newest[change.target] = count
    return count
  }

  /// Ends a change; a refusal counts only if the user has not changed the same again since.
  mutating func end(_ change: Change, _ number: Int, _ result: Result<Void, any Error>) {
    guard newest[change.target] == number else { return }
    newest[change.target] = nil
    if case .failure(let error) = result { (refused, failure) = (change, LoadFailure(error)) }
  }

  /// What a screen tracks of it: there is no indicator, because a change shows at once itself.
  func load<Event>(retry: Event) -> LoadStatus<Event> {
    LoadStatus(name: .change, isLoading: false, failure: failure, retry: retry)
  }
}

extension WorkID {
  /// The name of what the user changes at a host, among a screen's loads.
  public static let change: WorkID = "change"
}
