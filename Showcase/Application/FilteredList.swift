public import CurlewScreens
public import Domain

/// The user's choices that determine the content of a list.
public protocol ListFilter: Equatable, Sendable {
  /// A change of a choice.
  associatedtype Change: Sendable

  /// Applies a change; ignores a value that is not offered.
  mutating func apply(_ change: Change)
}

/// A paginated list that is reloaded when the user changes its filter.
public struct FilteredList<Filter: ListFilter, Item>: Screen
where Item: Identifiable & Equatable & Sendable, Item.ID: Sendable {
  /// The events of the screen.
  public enum Event: Sendable {
    /// The user changes the filter.
    case filter(Filter.Change)
    /// An event of the list.
    case feed(Feed<Item>.Event)
  }

  /// The state of the screen.
  public struct State: Equatable, Sendable {
    /// The current filter.
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
  ///   - filter: The initial filter.
  ///   - load: Loads a page for a filter; page numbers start at 1.
  public init(
    _ filter: Filter, load: @escaping @Sendable (Filter, Int) async throws -> Listing<Item>
  ) {
    self.filter = filter
    self.load = load
  }

  /// The initial state: the initial filter and an empty list.
  public var initial: State { State(filter: filter) }

  /// Handles an event of the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .filter(let change):
      let filter = state.filter
      state.filter.apply(change)
      if state.filter != filter { send(.sourceChanged, &state, &work) }
    case .feed(let event): send(event, &state, &work)
    }
  }

  /// The list.
  public var parts: [Part<State, Event>] { [Part(\.feed, feed(of: filter), event: Event.feed)] }

  private func send(
    _ event: Feed<Item>.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    let feed = feed(of: state.filter)
    work.scope(\.feed) { feed.handle(event, &state.feed, &$0) }
  }

  private func feed(of filter: Filter) -> Feed<Item> {
    Feed { [load] key in try await load(filter, key?.number ?? 1).page }
  }
}
