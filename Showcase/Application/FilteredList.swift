public import CurlewScreens
public import Domain

/// What a list shows of all there is, as the user chooses it.
public protocol ListFilter: Equatable, Sendable {
  /// A choice that the user makes.
  associatedtype Change: Sendable

  /// Applies a choice; one that is not offered changes nothing.
  mutating func apply(_ change: Change)
}

/// A list in pages that is loaded anew when the user changes its filter.
public struct FilteredList<Filter: ListFilter, Item>: Screen
where Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  /// What happens on the screen.
  public enum Event: Sendable {
    /// The user chooses something.
    case filter(Filter.Change)
    /// Something happened to the list.
    case feed(Feed<Item>.Event)
  }

  /// What the screen shows.
  public struct State: Equatable, Sendable {
    /// What was chosen.
    public fileprivate(set) var filter: Filter
    /// The list.
    public fileprivate(set) var feed = Feed<Item>.State()

    /// Creates a state.
    public init(filter: Filter, feed: Feed<Item>.State = Feed<Item>.State()) {
      (self.filter, self.feed) = (filter, feed)
    }
  }

  private let filter: Filter
  private let load: @Sendable (Filter, Int) async throws -> Listing<Item>

  /// Creates a screen.
  ///
  /// - Parameters:
  ///   - filter: What is chosen at first.
  ///   - load: Loads a page of what is chosen, by its number from 1.
  public init(
    _ filter: Filter, load: @escaping @Sendable (Filter, Int) async throws -> Listing<Item>
  ) {
    self.filter = filter
    self.load = load
  }

  /// The first choice, not loaded yet.
  public var initial: State { State(filter: filter) }

  /// Handles what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .filter(let change):
      let filter = state.filter
      state.filter.apply(change)
      if state.filter != filter { send(.sourceChanged, &state, &work) }
    case .feed(let event): send(event, &state, &work)
    }
  }

  /// The list, whose screen depends on the filter.
  public var parts: [Part<State, Event>] { [Part(\.feed)] }

  /// The list.
  public func loads(in state: State) -> [LoadStatus<Event>] {
    [
      LoadStatus(
        name: "list", isLoading: state.feed.isLoading, failure: state.feed.failure,
        retry: .feed(.retry))
    ]
  }

  private func send(
    _ event: Feed<Item>.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    let feed = Feed<Item> { [load, filter = state.filter] key in
      try await load(filter, key?.number ?? 1).page
    }
    work.scope(\.feed) { feed.handle(event, &state.feed, &$0) }
  }
}
