import Application
import CurlewScreens
import Domain

extension MoviesPage {
  func terminalContent(
    of state: Movies.State, _ view: MoviesView
  ) -> TerminalContent {
    let (filter, feed) = (state.filter, state.feed)
    let lists = MovieList.allCases.map { (code: $0.slug, name: $0.title) }
    var content = TerminalContent()
    content.choices =
      [ChoiceView("list", label: "List", lists, chosen: filter.list.slug)] + view.choices
    content.list = TerminalList(
      feed.items, key: { "\($0.id)" }, Movie.columns(now: now()), in: view.list
    ) { .command(.open(MovieRoute(MovieKey(id: $0.id, language: filter.language)).address)) }
    return content
  }
}

extension MoviePage {
  func terminalContent(of state: MovieDetail.State, _ view: MovieView) -> TerminalContent {
    var content = TerminalContent()
    if view.movie != nil, let movie = state.movie {
      content.detail = TerminalDetail(title: "", facts: movie.facts(language: view.language))
    }
    return content
  }
}

extension TopMoviesPage {
  func terminalContent(
    of state: TopMovies.State, _ view: TopMoviesView
  ) -> TerminalContent {
    var content = TerminalContent()
    content.choices = view.choices
    content.list = TerminalList(
      state.feed.items, key: \.id, StoreMovie.columns(now: now()),
      in: view.list
    ) { .detail(TerminalDetail($0)) }
    return content
  }
}

extension TerminalDetail {
  /// Creates the details of a movie in a store.
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    self.init(
      title: row.title,
      facts: [
        ("Rank", movie.rank.grouped), ("Price", row.price), ("Rental", row.rental),
        ("Released", movie.releaseDate), ("Category", row.category),
        ("Link", movie.link?.webAddress ?? ""),
      ], text: row.summary)
  }
}
