public import CurlewScreens

/// A screen whose content can be loaded again while it is shown, as when the network is back.
public protocol RefreshableScreen: Screen {
  /// Returns the event that loads again what a state shows, or what it failed to show; `nil` when
  /// there is nothing to load.
  func event(refreshing state: State) -> Event?
}

extension Feed.State {
  /// The event that loads again what the list shows; `nil` before anything was loaded.
  fileprivate var refreshing: Feed<Item>.Event? {
    status == .idle ? nil : failure == nil ? .refresh : .retry
  }
}

extension Detail.State {
  /// The event that loads again what is shown; `nil` before anything is.
  fileprivate var refreshing: Detail.Event? {
    id == nil ? nil : content.failure == nil ? .refresh : .retry
  }
}

extension IssueTracker: RefreshableScreen {
  /// Searches again, unless another name is being typed.
  public func event(refreshing state: State) -> Event? {
    search.event(refreshing: state.search).map { .search($0) }
  }
}

extension Search: RefreshableScreen {
  /// Searches again, unless another text is being typed.
  public func event(refreshing state: State) -> Event? {
    state.term != nil && state.term == state.query ? .submit : nil
  }
}

extension SearchComparison: RefreshableScreen {
  /// Searches again, unless another text is being typed.
  public func event(refreshing state: State) -> Event? {
    search().event(refreshing: state.search).map { .search($0) }
  }
}

extension PagedSearch: RefreshableScreen {
  /// Loads the list again, unless another text is being typed.
  public func event(refreshing state: State) -> Event? {
    state.term == state.query ? state.list.refreshing.map { .list($0) } : nil
  }
}

extension Repositories: RefreshableScreen {
  /// Loads the list again, unless another language is being typed.
  public func event(refreshing state: State) -> Event? {
    search.event(refreshing: state).map { .search($0) }
  }
}

extension RepositoryDetail: RefreshableScreen {
  /// Loads the repository again.
  public func event(refreshing state: Base.State) -> Event? {
    state.refreshing.map { .detail($0) }
  }
}

extension Detail: RefreshableScreen {
  /// Loads the value again.
  public func event(refreshing state: State) -> Event? { state.refreshing }
}

extension FilteredList: RefreshableScreen {
  /// Loads the list again.
  public func event(refreshing state: State) -> Event? { state.feed.refreshing.map { .feed($0) } }
}

extension Watch: RefreshableScreen {
  /// Begins again where it failed; else it goes on by itself.
  public func event(refreshing state: State) -> Event? {
    state.phase.failure == nil ? nil : .retry
  }
}
