import Application
import CurlewLive
import CurlewScreens
import Domain
import Foundation

extension ScreenEntry {
  static let topMovies = ScreenEntry(
    "itunes",
    link: Link(
      title: "iTunes", icon: "M5 20v-7M12 20V4M19 20v-11M3 20h18",
      text: "What sells best on iTunes, country by country."),
    actions: "country gb, limit 50, refresh, retry", command: ITunesCommand.self,
    example: ("itunes --country de", "best-selling movies in the iTunes store"),
    page: { TopMoviesPage(TopMovies(store: $0.store), isOffline: $0.isOffline) })
}

/// What sells best in a store, in a browser.
struct TopMoviesPage: DatedPage {
  let screen: Tracked<TopMovies>
  let now: @Sendable () -> Date

  var path: String { "/itunes" }

  func innerEvents(for query: LiveQuery, in state: TopMovies.State) -> [TopMovies.Event] {
    let usual = StoreFilter()
    let country = StoreFilter.countries.first { $0.code == query["country"] }?.code
    let limit = StoreFilter.limits.first { "\($0)" == query["limit"] }
    return [
      .filter(.country(country ?? usual.country)), .filter(.limit(limit ?? usual.limit)),
      .feed(.load),
    ] + (state.feed.failure == nil ? [] : [.feed(.retry)])
  }

  func innerEvent(for action: LiveAction) -> TopMovies.Event? {
    switch action.name {
    case "country":
      StoreFilter.countries.first { $0.code == action.value }.map { .filter(.country($0.code)) }
    case "limit":
      StoreFilter.limits.first { "\($0)" == action.value }.map { .filter(.limit($0)) }
    default: Feed<StoreMovie>.Event(action).map { .feed($0) }
    }
  }

  func address(of state: Tracked<TopMovies>.State) -> LiveAddress {
    LiveAddress(query(of: state.content.displayed.filter))
  }

  /// What differs from the usual.
  func query(of filter: StoreFilter) -> LiveQuery {
    let usual = StoreFilter()
    return [
      "country": filter.country == usual.country ? nil : filter.country,
      "limit": filter.limit == usual.limit ? nil : "\(filter.limit)",
    ]
  }

  func title(of state: Tracked<TopMovies>.State) -> String {
    "Top movies, \(state.content.displayed.filter.countryName)"
  }
}
