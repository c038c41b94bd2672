#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
  import AppComposition
  import Application
  import CurlewScreens
  import CurlewUIKit
  import Domain
  import UIKit

  /// The movies now in cinemas, and the top-rated movies.
  final class MoviesViewController: MediaListController<Movies, Movie> {
    private var path: RoutePath<MovieRoute>?

    convenience init(_ sources: AppSources, path: RoutePath<MovieRoute>) {
      let movies = Movies(catalogue: sources.catalogue, recent: sources.recentMovies)
      self.init("Movies", sources.model(movies, navigator: path), sources)
      self.path = path
    }

    override func makePresenter() -> Presenter { Presenter(\.feed) { .feed($0) } }

    override func makeHeader() -> UIView? {
      let lists: [(String, MovieList)] = [("Now playing", .nowPlaying), ("Top rated", .topRated)]
      let control = UISegmentedControl(
        frame: .zero,
        actions: lists.map { title, list in
          UIAction(title: title) { [model] _ in model?.send(.filter(.list(list))) }
        })
      control.selectedSegmentIndex = lists.firstIndex { $0.1 == model.filter.list } ?? 0
      return control
    }

    override func configure(_ cell: UICollectionViewListCell, for movie: Movie) {
      let texts = MovieRow(movie)
      cell.contentConfiguration = row(texts.title, texts.poster, texts.year, texts.vote)
    }

    override func select(_ movie: Movie) {
      path?.go(to: MovieRoute(MovieKey(id: movie.id, language: model.filter.language)))
    }
  }

  /// The details of a movie.
  final class MovieViewController: DetailController<MovieDetail> {
    private var route: MovieRoute?

    convenience init(_ route: MovieRoute, _ sources: AppSources) {
      let detail = MovieDetail(catalogue: sources.catalogue, recent: sources.recentMovies)
      self.init("", sources.model(detail), sources)
      self.route = route
      model.send(.show(route.key))
    }

    override func refresh() -> PendingWork? { model.send(.refresh) }

    override func update() {
      guard let movie = model.movie, let route else { return }
      let facts = MovieFacts(movie, language: route.key.language)
      title = facts.title
      show(
        movie.backdrop ?? facts.poster,
        [facts.released, facts.runtime, facts.rating, facts.overview])
    }
  }
#endif
