public import CurlewScreens

/// A screen whose content can be reloaded while it is shown, for example when the network is
/// available again.
public protocol RefreshableScreen: Screen {
  /// Returns the event that reloads the content of a state or retries its failed load; `nil` if
  /// there is nothing to load.
  func event(refreshing state: State) -> Event?
}

extension Feed.State {
  /// The event that reloads the list or retries its failed load; `nil` before the first load.
  fileprivate var refreshing: Feed<Item>.Event? {
    status == .idle ? nil : failure == nil ? .refresh : .retry
  }
}

extension Detail.State {
  /// The event that reloads the value or retries its failed load; `nil` if nothing is shown.
  fileprivate var refreshing: Detail.Event? {
    id == nil ? nil : content.failure == nil ? .refresh : .retry
  }
}

extension IssueTracker: RefreshableScreen {
  /// Returns the event that searches again; `nil` while the user types another name.
  public func event(refreshing state: State) -> Event? {
    search.event(refreshing: state.search).map { .search($0) }
  }
}

extension Search: RefreshableScreen {
  /// Returns the event that searches again; `nil` while the user types another text.
  public func event(refreshing state: State) -> Event? {
    state.term != nil && state.term == state.query ? .submit : nil
  }
}

extension SearchComparison: RefreshableScreen {
  /// Returns the event that searches again; `nil` while the user types another text.
  public func event(refreshing state: State) -> Event? {
    search().event(refreshing: state.search).map { .search($0) }
  }
}

extension PagedSearch: RefreshableScreen {
  /// Returns the event that reloads the list; `nil` while the user types another text.
  public func event(refreshing state: State) -> Event? {
    state.term == state.query ? state.list.refreshing.map { .list($0) } : nil
  }
}

extension Repositories: RefreshableScreen {
  /// Returns the event that reloads the list; `nil` while the user types another language.
  public func event(refreshing state: State) -> Event? {
    search.event(refreshing: state).map { .search($0) }
  }
}

extension RepositoryDetail: RefreshableScreen {
  /// Returns the event that reloads the repository.
  public func event(refreshing state: Base.State) -> Event? {
    state.refreshing.map { .detail($0) }
  }
}

extension Detail: RefreshableScreen {
  /// Returns the event that reloads the value.
  public func event(refreshing state: State) -> Event? { state.refreshing }
}

extension FilteredList: RefreshableScreen {
  /// Returns the event that reloads the list.
  public func event(refreshing state: State) -> Event? { state.feed.refreshing.map { .feed($0) } }
}

extension Watch: RefreshableScreen {
  /// Returns the event that retries after a failure; otherwise `nil`, because the stream reconnects
  /// by itself.
  public func event(refreshing state: State) -> Event? {
    state.phase.failure == nil ? nil : .retry
  }
}
