import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let movie = ScreenEntry(
    name: "movie", start: "/movie/120011", parent: "movies", actions: "retry",
    command: MovieCommand.self,
    example: ("movie 120011", "the details of a movie"),
    page: {
      MoviePage(
        MovieDetail(catalogue: $0.catalogue, recent: $0.recentMovies), isOffline: $0.isOffline)
    })
}

/// The page of a movie.
struct MoviePage: DatedPage {
  let screen: MovieDetail
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/movie/{id}" }

  func exists(for query: LiveQuery) -> Bool { Self.route(in: query) != nil }

  func events(for query: LiveQuery, in state: MovieDetail.State) -> [MovieDetail.Event] {
    guard let key = Self.route(in: query)?.key else { return [] }
    return [.show(key)]
  }

  func event(for action: LiveAction) -> MovieDetail.Event? {
    action.name == "retry" ? .retry : nil
  }

  func address(of state: MovieDetail.State) -> LiveAddress {
    guard let route = state.id.map(MovieRoute.init) else {
      return LiveAddress(path: ScreenEntry.movies.address)
    }
    return LiveAddress(path: route.path, ["language": route.language])
  }

  func title(of state: MovieDetail.State) -> String {
    state.movie.map { MovieRow($0).title } ?? "Movie"
  }

  /// Whether a movie is known, at least from a list.
  func isPresentable(_ state: MovieDetail.State) -> Bool {
    state.movie != nil
  }

  private static func route(in query: LiveQuery) -> MovieRoute? {
    MovieRoute(id: query["id"] ?? "", language: query["language"])
  }

  func view(of state: MovieDetail.State, _ activity: ScreenActivity) -> MovieView {
    let known = state.movie
    let language = state.id?.language ?? MovieFilter.languages[0].code
    let back = MoviesPage.address(.nowPlaying, language: language)
    let status =
      switch state.content {
      case .idle, .content: ""
      case .loading: known == nil ? "Loading the movie…" : "Loading the details…"
      case .empty: "There is no such movie."
      case .failed:
        known == nil ? "The movie could not be loaded." : "The details could not be loaded."
      }
    return MovieView(
      status: status,
      detail: DetailView(
        state, activity, isKnown: known != nil,
        retry: state.id.map { MovieRoute($0).address } ?? back, now: now()),
      back: back, language: language, movie: known.map { MovieView.Known($0, language: language) })
  }
}

struct MovieView: DetailPageView {
  let status: String
  let detail: DetailView
  let back, language: String
  let movie: Known?
  /// The paths of the lists that may link to the movie.
  private var lists: String {
    MovieList.allCases.map { MoviesPage.path(of: $0) }.joined(separator: " ")
  }

  static let template = HTMLTemplate<Self>(PackageResources.movie_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "detail": \.detail, "back": \.back, "lists": \.lists,
    "language": \.language, "movie": \.movie,
  ]

  /// The known properties of the movie.
  struct Known: TemplateValues {
    private let movie: Movie
    private let facts: MovieFacts
    private var poster: String? { facts.poster?.imagePath }
    private var backdrop: String? { facts.backdrop?.imagePath }
    private var hasGenres: Bool { !movie.genres.isEmpty }
    private var link: String? { movie.link?.webAddress }
    private var counts: [FactView] {
      [
        FactView("Released", facts.released), FactView("Runtime", facts.runtime),
        FactView("Rated", facts.rating),
      ]
    }

    static let names: TemplateNames<Self> = [
      "title": \.facts.title, "originalTitle": \.facts.originalTitle,
      "overview": \.facts.overview, "poster": \.poster, "backdrop": \.backdrop,
      "tagline": \.movie.tagline,
      "counts": \.counts, "genres": \.movie.genres, "hasGenres": \.hasGenres, "link": \.link,
    ]

    init(_ movie: Movie, language: String) {
      (self.movie, facts) = (movie, MovieFacts(movie, language: language))
    }
  }
}
