public import CurlewScreens
public import Domain

/// The repositories of a language: a field, and an endless list sorted by descending number of
/// stars.
public struct Repositories: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// An event of the field or the list.
    case search(PagedSearch<Repository>.Event)
    /// The user selects a repository.
    case pick(RepositoryName)
  }

  /// The state of the field and the list.
  public typealias State = PagedSearch<Repository>.State

  let search: PagedSearch<Repository>

  /// Creates a list of a host's repositories.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - recent: Stores the listed repositories, for the detail screen.
  ///   - first: The language whose repositories are listed at launch; none by default.
  public init(
    host: any CodeHost, recent: RecentValues<RepositoryName, Repository> = RecentValues(),
    first: String = ""
  ) {
    search = PagedSearch(text: first) { language, key in
      let found = try await host.repositories(in: language, page: key?.number ?? 1)
      recent.remember(found.items, by: \.name)
      return found.page
    }
  }

  /// The field and the list.
  public var parts: [Part<State, Event>] { [Part(\.self, search, event: Event.search)] }

  /// The initial state: the field contains the first language.
  public var initial: State { search.initial }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .search(let event): work.scope(\.self) { search.handle(event, &state, &$0) }
    case .pick(let name): work.go(to: RepositoryRoute(name))
    }
  }
}
