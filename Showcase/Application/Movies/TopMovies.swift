public import CurlewScreens
public import Domain

/// What sells best in a store: a country and a number to choose, and a list.
public struct TopMovies: LoadingScreen {
  /// What happens on the screen.
  public enum Event: Sendable {
    /// The user chooses a country by its code, such as `us`.
    case country(String)
    /// The user chooses how many movies the list has at most.
    case limit(Int)
    /// Something happened to the list.
    case feed(Feed<StoreMovie>.Event)
  }

  /// What the screen shows.
  public struct State: Equatable, Sendable {
    /// The store's country.
    public fileprivate(set) var country = TopMovies.countries[0].code
    /// How many movies the list has at most.
    public fileprivate(set) var limit = TopMovies.limits[1]
    /// The movies, in the order of their rank.
    public fileprivate(set) var feed = Feed<StoreMovie>.State()
  }

  /// The countries to choose from, the usual one first.
  public static let countries: [(code: String, name: String)] = [
    ("us", "United States"), ("gb", "United Kingdom"), ("de", "Germany"), ("fr", "France"),
    ("jp", "Japan"),
  ]
  /// The lengths to choose from.
  public static let limits = [10, 25, 50]

  private let store: any MovieStore

  /// Lists the movies of a store.
  public init(store: any MovieStore) {
    self.store = store
  }

  /// The usual country, not loaded yet.
  public var initial: State { State() }

  /// Responses what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .country(let country):
      guard country != state.country, Self.countries.contains(where: { $0.code == country })
      else { return }
      state.country = country
      send(.replaced, &state, &work)
    case .limit(let limit):
      guard limit != state.limit, Self.limits.contains(limit) else { return }
      state.limit = limit
      send(.replaced, &state, &work)
    case .feed(let event):
      send(event, &state, &work)
    }
  }

  /// The list.
  public func loads(in state: State) -> [Load] {
    [Load(name: "movies", isLoading: state.feed.isLoading, failure: state.feed.failure)]
  }

  /// Loads again what failed.
  public func event(retrying load: WorkID) -> Event? { .feed(.retry) }

  private func send(
    _ event: Feed<StoreMovie>.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    let feed = Feed<StoreMovie> { [store, country = state.country, limit = state.limit] _ in
      try await store.topMovies(in: country, limit: limit).page
    }
    work.scope(\.feed) { feed.handle(event, &state.feed, &$0) }
  }
}
