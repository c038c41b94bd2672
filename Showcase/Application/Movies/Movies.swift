public import CurlewScreens
public import Domain

/// Movies of a catalogue: what is in the cinemas, or what is liked best, in a language.
public struct Movies: LoadingScreen {
  /// What happens on the screen.
  public enum Event: Sendable {
    /// The user turns to a list.
    case list(MovieList)
    /// The user chooses a language, such as `de-DE`.
    case language(String)
    /// Something happened to the list.
    case feed(Feed<Movie>.Event)
  }

  /// What the screen shows.
  public struct State: Equatable, Sendable {
    /// The list.
    public fileprivate(set) var list = MovieList.nowPlaying
    /// The language of titles and descriptions.
    public fileprivate(set) var language = Movies.languages[0].code
    /// The movies.
    public fileprivate(set) var feed = Feed<Movie>.State()
  }

  /// The languages to choose from, the usual one first.
  public static let languages: [(code: String, name: String)] = [
    ("en-US", "English"), ("de-DE", "Deutsch"), ("fr-FR", "Français"), ("ru-RU", "Русский"),
    ("ja-JP", "日本語"),
  ]

  private let catalogue: any MovieCatalogue

  /// Lists the movies of a catalogue.
  public init(catalogue: any MovieCatalogue) {
    self.catalogue = catalogue
  }

  /// The first list, not loaded yet.
  public var initial: State { State() }

  /// Responses what happens on the screen.
  public func handle(_ event: Event, _ state: inout State, _ work: inout Work<State>) {
    switch event {
    case .list(let list):
      guard list != state.list else { return }
      state.list = list
      send(.replaced, &state, &work)
    case .language(let language):
      guard language != state.language, Self.languages.contains(where: { $0.code == language })
      else { return }
      state.language = language
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
    _ event: Feed<Movie>.Event, _ state: inout State, _ work: inout Work<State>
  ) {
    let feed = Feed<Movie> { [catalogue, list = state.list, language = state.language] key in
      try await catalogue.movies(in: list, language: language, page: key?.number ?? 1).page
    }
    work.scope(\.feed) { feed.handle(event, &state.feed, &$0) }
  }
}
