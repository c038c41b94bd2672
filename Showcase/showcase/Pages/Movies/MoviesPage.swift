import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let movies = ScreenEntry(
    name: "movies", start: "/movies/now-playing",
    link: Link(
      title: "Movies",
      icon: "M4 5h16v14H4zM8 5v14M16 5v14M4 9.700h4M4 14.300h4M16 9.700h4M16 14.300h4",
      miniature: .posters(["Last Train", "Small Hours", "Sea Glass"]),
      text: "Movies now in cinemas and top-rated movies, in five languages, with details."),
    actions: "list now-playing|top-rated, language de-DE, more, refresh, retry",
    command: MoviesCommand.self,
    example: ("movies top-rated --page 2", "movies of TMDB"),
    page: {
      MoviesPage(
        Movies(catalogue: $0.catalogue, recent: $0.recentMovies), isOffline: $0.isOffline)
    })
}

/// The page of a catalogue's movie lists.
struct MoviesPage: DatedPage {
  let screen: Movies
  let activity: ScreenActivity.Options
  let now: @Sendable () -> Date

  var path: String { "/movies/{list}" }

  func exists(for query: LiveQuery) -> Bool { Self.list(in: query) != nil }

  func events(for query: LiveQuery, in state: Movies.State) -> [Movies.Event] {
    guard let list = Self.list(in: query) else { return [] }
    let languages = MovieFilter.languages.map(\.code)
    let language = languages.first { $0 == query["language"] } ?? languages[0]
    return [
      .filter(.list(list)), .filter(.language(language)),
      .feed(.restore(at: query.page, pageCount: query.pages)),
    ]
      + (state.feed.failure == nil ? [] : [.feed(.retry)])
  }

  func event(for action: LiveAction) -> Movies.Event? {
    switch action.name {
    case "list": MovieList(slug: action.value).map { .filter(.list($0)) }
    case "language":
      MovieFilter.languages.first { $0.code == action.value }.map { .filter(.language($0.code)) }
    default: Feed<Movie>.Event(action).map { .feed($0) }
    }
  }

  func address(of state: Movies.State) -> LiveAddress {
    let filter = state.filter
    return LiveAddress(
      path: Self.path(of: filter.list),
      Self.query(language: filter.language, page: state.feed.start?.number),
      position: LiveQuery(pagesOf: state.feed))
  }

  static func path(of list: MovieList) -> String { "/movies/\(list.slug)" }

  private static func query(language: String, page: Int?) -> LiveQuery {
    let isUsual = language == MovieFilter.languages[0].code
    return ["language": isUsual ? nil : language, "page": page.map { "\($0)" }]
  }

  static func address(_ list: MovieList, language: String, page: Int? = nil) -> String {
    path(of: list) + query(language: language, page: page).text
  }

  func title(of state: Movies.State) -> String {
    "\(state.filter.list.title) · Movies"
  }

  private static func list(in query: LiveQuery) -> MovieList? {
    MovieList(slug: query["list"] ?? "")
  }

  func view(of state: Movies.State, _ activity: ScreenActivity) -> MoviesView {
    let (filter, feed) = (state.filter, state.feed)
    let title = filter.list.title
    let status = feed.status(
      loading: "Loading “\(title)”…",
      empty: "There are no movies in this list.", failed: "The movies could not be loaded."
    ) { "\($0.grouped) \($0 == 1 ? "movie" : "movies")" }
    let list = ListView(feed, activity, now: now(), failed: "The movies could not be loaded") {
      page in
      Self.address(filter.list, language: filter.language, page: page)
    }
    return MoviesView(
      status: status, list: list, filter: filter,
      rows: LivePiece(
        "rows", rows: feed.items, key: { "\($0.id)" }, also: { _ in filter.language }
      ) { MovieRowView(movie: $0, language: $1).html })
  }
}

struct MoviesView: ListPageView {
  let status: String
  let list: ListView
  fileprivate let filter: MovieFilter
  let rows: LivePiece
  private var action: String { MoviesPage.path(of: filter.list) }
  private var segments: [OptionView] {
    MovieList.allCases.map { list in
      OptionView(
        value: list.slug, title: list.title, isChosen: list == filter.list,
        href: MoviesPage.address(list, language: filter.language))
    }
  }
  var choices: [ChoiceView] {
    [
      ChoiceView("language", label: "Language", MovieFilter.languages, chosen: filter.language)
    ]
  }

  static let template = HTMLTemplate<Self>(PackageResources.movies_mustache)
  static let names: TemplateNames<Self> = [
    "status": \.status, "list": \.list, "rows": \.rows, "title": \.filter.list.title,
    "action": \.action, "segments": \.segments, "choices": \.choices,
  ]
}

/// A movie in a list.
struct MovieRowView: TemplateView {
  private let movie: Movie
  private let language: String
  private let row: MovieRow
  private var href: String { MovieRoute(MovieKey(id: movie.id, language: language)).address }
  private var year: String? { row.year.isEmpty ? nil : row.year }
  private var vote: String? { hasNoVotes ? nil : row.vote }
  /// Whether the movie is known to have no votes.
  private var hasNoVotes: Bool { movie.voteCount == 0 }
  /// `nil` if the catalogue has no overview, because the placeholder text is in the page's
  /// language.
  private var overviewLanguage: String? { movie.overview.isEmpty ? nil : language }
  private var poster: String? { row.poster?.imagePath }

  static let template = HTMLTemplate<Self>(PackageResources.movierow_mustache)
  static let names: TemplateNames<Self> = [
    "id": \.movie.id, "href": \.href, "language": \.language, "title": \.row.title,
    "year": \.year, "vote": \.vote, "hasNoVotes": \.hasNoVotes, "overview": \.row.overview,
    "overviewLanguage": \.overviewLanguage, "poster": \.poster,
  ]

  init(movie: Movie, language: String) {
    (self.movie, self.language, row) = (movie, language, MovieRow(movie))
  }
}

extension MovieList {
  /// The title of the list.
  var title: String {
    switch self {
    case .nowPlaying: "Now playing"
    case .topRated: "Top rated"
    }
  }
}
