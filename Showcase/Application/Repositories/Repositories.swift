public import CurlewScreens
public import Domain

/// The repositories of a language: a field, an endless list sorted by descending number of stars, its
/// filter, and the user's stars.
public struct Repositories: Screen {
  /// The events of the screen.
  public enum Event: Sendable {
    /// An event of the field or the list.
    case search(PagedSearch<Repository>.Event)
    /// An event of the user's stars.
    case stars(Starring.Event)
    /// An event of the user's pending changes.
    case pending(PendingChanges.Event)
    /// The user selects a repository.
    case pick(RepositoryName)
    /// The user opens the filter.
    case openFilter
    /// An event of the open filter.
    case filter(RepositoryFilter.Event)
    /// The user applies the open filter, which is dismissed.
    case applyFilter
    /// The user dismisses the filter.
    case closeFilter
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The field and the list.
    public fileprivate(set) var search: PagedSearch<Repository>.State
    /// The user's stars.
    public fileprivate(set) var stars = Starring.State()
    /// The user's changes that the host has not confirmed.
    public fileprivate(set) var pending = PendingChanges.State()
    /// The minimum number of stars of the listed repositories; 0 lists all.
    public fileprivate(set) var minimum = 0
    /// The filter; `nil` unless it is open.
    public fileprivate(set) var filter: RepositoryFilter.State?

    /// Whether the filter is open.
    public var isFiltering: Bool { filter != nil }
    /// The minimum number of stars that is chosen in the filter.
    public var chosenMinimum: Int { filter?.minimum ?? minimum }

    /// Creates a state.
    public init(search: PagedSearch<Repository>.State) { self.search = search }
  }

  private let host: any CodeHost
  private let recent: RecentValues<RepositoryName, Repository>
  private let first: String
  private let stars: Starring
  private let pending: PendingChanges
  private let filter = RepositoryFilter()

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
    (self.host, self.recent, self.first) = (host, recent, first)
    (stars, pending) = (Starring(host: host), PendingChanges(host: host))
  }

  /// The list, the stars, the pending changes and the filter.
  public var parts: [Part<State, Event>] {
    [
      Part(\.search, search(), event: Event.search), Part(\.stars, stars, event: Event.stars),
      Part(\.pending, pending, event: Event.pending),
      Part(presented: \.filter, filter, event: Event.filter),
    ]
  }

  /// The initial state: the field contains the first language.
  public var initial: State { State(search: search().initial) }

  /// Reads the pending changes, among which a new star may be.
  public func stateDidChange(_ state: inout State, _ work: inout Work<State>) {
    pending.read(&state.pending)
  }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .search(let event): send(event, &state, &work)
    case .stars(let event): work.scope(\.stars) { stars.handle(event, &state.stars, &$0) }
    case .pending(let event):
      work.scope(\.pending) { pending.handle(event, &state.pending, &$0) }
    case .pick(let name): work.go(to: RepositoryRoute(name))
    case .openFilter:
      if state.filter == nil { state.filter = RepositoryFilter.State(minimum: state.minimum) }
    case .filter(let event):
      work.scope(presented: \.filter, &state) { filter.handle(event, &$0, &$1) }
    case .applyFilter:
      guard let chosen = state.filter?.minimum else { return }
      state.filter = nil
      guard chosen != state.minimum else { return }
      state.minimum = chosen
      // A text that was not searched yet is searched with the new filter.
      let isNew = state.search.query != state.search.term
      send(isNew ? .submit() : .list(.sourceChanged), &state, &work)
    case .closeFilter: state.filter = nil
    }
  }

  private func send(
    _ event: PagedSearch<Repository>.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    let search = search(minimum: state.minimum)
    work.scope(\.search) { search.handle(event, &state.search, &$0) }
  }

  private func search(minimum: Int = 0) -> PagedSearch<Repository> {
    PagedSearch(text: first) { [host, recent] language, key in
      let found = try await host.repositories(in: language, page: key?.number ?? 1)
      recent.remember(found.items, by: \.name)
      return found.starred(atLeast: minimum).page
    }
  }
}
