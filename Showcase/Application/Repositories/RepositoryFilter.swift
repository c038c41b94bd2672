public import CurlewScreens
import Domain

/// The sheet with the filter of a list of repositories: a choice that applies when the user confirms it.
public struct RepositoryFilter: Screen {
  /// The events of the sheet.
  public enum Event: Sendable {
    /// The user chooses a minimum number of stars; a number that is not offered is ignored.
    case minimum(Int)
  }

  /// The state of the sheet.
  public struct State: Equatable, Sendable {
    /// The chosen minimum number of stars.
    public internal(set) var minimum = 0
  }

  /// The offered minimum numbers of stars; 0 shows all repositories.
  public static let minimums = [0, 100, 1_000, 10_000]

  /// The initial state: all repositories.
  public let initial = State()

  /// Handles an event of the sheet.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .minimum(let minimum):
      if Self.minimums.contains(minimum) { state.minimum = minimum }
    }
  }
}

extension Listing<Repository> {
  /// Returns the repositories with a minimum number of stars, or an unknown number, of a page of a list that is sorted by
  /// descending number of stars.
  func starred(atLeast minimum: Int) -> Listing {
    guard minimum > 0 else { return self }
    var listing = self
    listing.items.removeAll { ($0.stars ?? minimum) < minimum }
    listing.total = nil
    // All repositories on later pages have fewer stars.
    if let stars = items.last?.stars, stars < minimum { listing.nextPage = nil }
    return listing
  }
}
