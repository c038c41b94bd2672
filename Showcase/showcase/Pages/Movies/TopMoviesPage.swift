package import Application
package import CurlewLive
package import CurlewScreens
import Domain
package import Foundation

extension ScreenEntry {
  static let topMovies = ScreenEntry(
    name: "itunes",
    link: Link(
      title: "iTunes", icon: "M5 20v-7M12 20V4M19 20v-11M3 20h18",
      text: "What sells best on iTunes, country by country."),
    actions: "country gb, limit 50, refresh, retry", command: ITunesCommand.self,
    example: ("itunes --country de", "best-selling movies in the iTunes store"),
    page: { TopMoviesPage(TopMovies(store: $0.store), isOffline: $0.isOffline) })
}

/// What sells best in a store, in a browser.
package struct TopMoviesPage: DatedPage {
  package let screen: Tracked<TopMovies>
  let now: @Sendable () -> Date

  package init(screen: Tracked<TopMovies>, now: @escaping @Sendable () -> Date) {
    (self.screen, self.now) = (screen, now)
  }

  package var path: String { "/itunes" }

  package func innerEvents(for query: LiveQuery, in state: TopMovies.State) -> [TopMovies.Event] {
    let usual = StoreFilter()
    let country = StoreFilter.countries.first { $0.code == query["country"] }?.code
    let limit = StoreFilter.limits.first { "\($0)" == query["limit"] }
    return [
      .filter(.country(country ?? usual.country)), .filter(.limit(limit ?? usual.limit)),
      .feed(.load),
    ] + (state.feed.failure == nil ? [] : [.feed(.retry)])
  }

  package func innerEvent(for action: LiveAction) -> TopMovies.Event? {
    switch action.name {
    case "country":
      StoreFilter.countries.first { $0.code == action.value }.map { .filter(.country($0.code)) }
    case "limit":
      StoreFilter.limits.first { "\($0)" == action.value }.map { .filter(.limit($0)) }
    default: Feed<StoreMovie>.Event(action).map { .feed($0) }
    }
  }

  package func address(of state: Tracked<TopMovies>.State) -> LiveAddress {
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

  package func title(of state: Tracked<TopMovies>.State) -> String {
    "Top movies, \(state.content.displayed.filter.countryName)"
  }

  package func view(of tracked: Tracked<TopMovies>.State) -> PageView {
    let (filter, feed) = (tracked.content.displayed.filter, tracked.content.displayed.feed)
    let country = filter.countryName
    let address = path + query(of: filter).text
    let status = feed.status(
      loading: "Looking at \(country)…", empty: "The list of \(country) is empty.",
      failed: "The movies could not be loaded."
    ) { "\(country): " + ($0 == 1 ? "1 movie" : "\($0) movies, best sellers first") }
    return view(
      of: tracked, .topMovies, status: status, list: feed, now: now(),
      [
        "country": country,
        "choices": [
          Values.choices(
            "country", label: "Country", StoreFilter.countries, chosen: filter.country),
          Values.choices(
            "limit", label: "How many", StoreFilter.limits.map { ("\($0)", "Top \($0)") },
            chosen: "\(filter.limit)"),
        ],
        "cards": feed.items.map { Values($0) },
      ]
    ) { _ in address }
  }
}

extension Values {
  fileprivate init(_ movie: StoreMovie) {
    let row = StoreMovieRow(movie)
    self = [
      "key": movie.id, "rank": "\(movie.rank)", "title": row.title,
      "releaseDate": row.releaseDate.isEmpty ? nil : row.releaseDate, "price": row.price,
      "isForSale": row.price.first?.isNumber == true,
      "rental": row.rental.isEmpty ? nil : row.rental,
      "category": row.category.isEmpty ? nil : row.category, "summary": row.summary,
      "hasSummary": movie.summary?.contains { !$0.isWhitespace } == true,
      "image": row.image?.imagePath, "link": row.link?.webAddress,
    ]
  }
}
