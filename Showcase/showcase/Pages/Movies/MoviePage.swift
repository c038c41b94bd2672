import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let movie = ScreenEntry(
    "movie", address: "/movie/120011", section: "movies", actions: "retry",
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
}
