import Application
import CurlewScreens
import CurlewTerminal
import Domain

extension MoviesPage {
  func terminalContent(
    of state: Movies.State, _ view: MoviesView
  ) -> TerminalContent<Movies.Event> {
    let (filter, feed) = (state.filter, state.feed)
    let lists = MovieList.allCases.map { (code: $0.slug, name: $0.title) }
    var content = TerminalContent<Movies.Event>()
    content.fields =
      ([ChoiceView("list", label: "List", lists, chosen: filter.list.slug)] + view.choices)
      .map { field($0) }
    content.list = list(
      feed.items, id: { "\($0.id)" }, Movie.columns(now: now()), in: view.list
    ) { .go(to: MovieRoute(MovieKey(id: $0.id, language: filter.language))) }
    return content
  }
}

extension MoviePage {
  func terminalContent(
    of state: MovieDetail.State, _ view: MovieView
  ) -> TerminalContent<MovieDetail.Event> {
    var content = TerminalContent<MovieDetail.Event>()
    if view.movie != nil, let movie = state.movie {
      content.text = Text(facts: movie.facts(language: view.language))
    }
    return content
  }
}

extension TopMoviesPage {
  func terminalContent(
    of state: TopMovies.State, _ view: TopMoviesView
  ) -> TerminalContent<TopMovies.Event> {
    var content = TerminalContent<TopMovies.Event>()
    content.fields = view.choices.map { field($0) }
    content.list = list(
      state.feed.items, id: \.id, StoreMovie.columns(now: now()), in: view.list
    ) { .show(Text($0)) }
    return content
  }
}

extension Text {
  /// Creates the details of a movie in a store.
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    self.init(
      row.summary, title: row.title,
      facts: [
        ("Rank", movie.rank.grouped), ("Price", row.price), ("Rental", row.rental),
        ("Released", movie.releaseDate), ("Category", row.category),
        ("Link", movie.link?.webAddress ?? ""),
      ])
  }
}
