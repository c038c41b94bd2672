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

/// One movie in a browser.
struct MoviePage: DatedPage {
  let screen: Tracked<MovieDetail>
  let now: @Sendable () -> Date

  var path: String { "/movie/{id}" }

  func exists(for query: LiveQuery) -> Bool { Self.route(in: query) != nil }

  func innerEvents(for query: LiveQuery, in state: MovieDetail.State) -> [MovieDetail.Event] {
    guard let key = Self.route(in: query)?.key else { return [] }
    return [state.id == key && state.content.failure != nil ? .retry : .show(key)]
  }

  func innerEvent(for action: LiveAction) -> MovieDetail.Event? {
    action.name == "retry" ? .retry : nil
  }

  func address(of state: Tracked<MovieDetail>.State) -> LiveAddress {
    guard let route = state.content.displayed.id.map(MovieRoute.init) else {
      return LiveAddress(path: ScreenEntry.movies.address)
    }
    return LiveAddress(path: route.path, ["language": route.language])
  }

  func title(of state: Tracked<MovieDetail>.State) -> String {
    state.content.displayed.movie.map { MovieRow($0).title } ?? "Movie"
  }

  /// What the list knew is there at once.
  func isPresentable(_ state: Tracked<MovieDetail>.State) -> Bool {
    state.content.displayed.movie != nil
  }

  private static func route(in query: LiveQuery) -> MovieRoute? {
    MovieRoute(id: query["id"] ?? "", language: query["language"])
  }

  func view(of tracked: Tracked<MovieDetail>.State) -> PageView {
    let state = tracked.content.displayed
    let known = state.movie
    let language = state.id?.language ?? MovieFilter.languages[0].code
    let back = MoviesPage.address(.nowPlaying, language: language)
    let status =
      switch state.content.phase {
      case .idle, .content: ""
      case .loading: known == nil ? "Looking for the movie…" : "Loading the rest…"
      case .empty: "There is no such movie."
      case .failed: known == nil ? "It could not be loaded." : "The rest could not be loaded."
      }
    return view(
      of: tracked, .movie, status: status, detail: state, isKnown: known != nil,
      retry: state.id.map { MovieRoute($0).address } ?? back, now: now(),
      [
        "back": back,
        // The paths of the lists that it may have been opened from.
        "lists": MovieList.allCases.map { MoviesPage.path(of: $0) }.joined(separator: " "),
        "language": language, "movie": known.map { Values($0, language: language) },
      ])
  }
}

extension Values {
  fileprivate init(_ movie: Movie, language: String) {
    let facts = MovieFacts(movie, language: language)
    let counts: [Values] = [
      ["name": "Released", "value": facts.released], ["name": "Runtime", "value": facts.runtime],
      ["name": "Rated", "value": facts.rating],
    ]
    self = [
      "facts": facts, "poster": facts.poster?.imagePath, "tagline": movie.tagline,
      "counts": counts, "genres": movie.genres, "hasGenres": !movie.genres.isEmpty,
      "link": movie.link?.webAddress,
    ]
  }
}
